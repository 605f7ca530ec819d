import { Arg, type ClassType, Field, Int, ObjectType } from 'type-graphql';

@ObjectType('PageInfo')
class PageInfoType {
  @Field(() => Boolean)
  hasNextPage!: boolean;
  @Field(() => String, { nullable: true })
  endCursor!: string | null;
}

/**
 * What every list of the schema is: a connection with edges, as `page` in the domain returns it (GraphQL Cursor Connections
 * Specification). A list's own type extends it, and adds its counts.
 */
export function connectionOf<Node extends object>(name: string, node: () => ClassType<Node>) {
  @ObjectType(`${name}Edge`)
  class EdgeType {
    @Field(() => String)
    cursor!: string;
    @Field(node)
    node!: Node;
  }

  @ObjectType()
  abstract class ConnectionType {
    @Field(() => [EdgeType])
    edges!: readonly EdgeType[];
    @Field(() => PageInfoType)
    pageInfo!: PageInfoType;
  }
  return ConnectionType;
}

/** The argument `first` of a list: how many items a page has. */
export function First(defaultValue = 20): ReturnType<typeof Arg> {
  return Arg('first', () => Int, { defaultValue, description: 'At most 100.' });
}

/** The argument `after` of a list: the cursor of the last item that the caller has. */
export function After(): ReturnType<typeof Arg> {
  return Arg('after', () => String, { nullable: true });
}

/** It is undefined if a client leaves it out, and null if the client has no cursor. */
export type AfterCursor = string | null | undefined;
