import {
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { limits } from '../domain/shared/limits.ts';
import { rootQueryCost, type FieldCost } from './fieldCosts.ts';

type Operation = {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
};

const introspection = new Map([SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]));

/** A field at the root is expensive: it asks the database or changes something, and aliases could repeat it hundreds of times. */
const rootCosts = { mutation: 900, query: rootQueryCost, subscription: 0 } as const;

/**
 * What an operation of a valid document may cost at most. A list counts as many items as it may return, each with its fields, and what
 * `@skip` and `@include` may leave out counts as well. Of the arguments only `first` is read, nothing is coerced, and each fragment is
 * counted once however often it is spread. So the work depends on the size of the document and on nothing else.
 */
export function operationCost({ schema, document, operation, variables }: Operation): number {
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
  const known = new Map<string, number>();
  const root = schema.getRootType(operation.operation);

  function costOf(selectionSet: SelectionSetNode | undefined, parent: GraphQLNamedType | null | undefined): number {
    return (selectionSet?.selections ?? []).reduce((sum, selection) => sum + costOfSelection(selection, parent), 0);
  }

  function costOfSelection(selection: SelectionNode, parent: GraphQLNamedType | null | undefined): number {
    if (selection.kind === Kind.FIELD) return costOfField(selection, parent);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return costOfFragment(fragments.get(selection.name.value));
    const { typeCondition, selectionSet } = selection;
    return costOf(selectionSet, typeCondition ? schema.getType(typeCondition.name.value) : parent);
  }

  function costOfFragment(fragment: FragmentDefinitionNode | undefined): number {
    if (!fragment) return 0;
    const { name, typeCondition, selectionSet } = fragment;
    const cost = known.get(name.value) ?? costOf(selectionSet, schema.getType(typeCondition.name.value));
    known.set(name.value, cost);
    return cost;
  }

  function costOfField(node: FieldNode, parent: GraphQLNamedType | null | undefined): number {
    const field = introspection.get(node.name.value) ?? fieldOf(parent, node.name.value);
    const children = field ? costOf(node.selectionSet, getNamedType(field.type)) : 0;
    const items = field && itemsAskedFor(field, node);
    const own = costOfItems(field, children, items);
    return parent === root ? rootCosts[operation.operation] + (items === undefined ? children : own) : own;
  }

  /** How many items a page may have, or undefined if the field has no pages. */
  function itemsAskedFor({ args }: GraphQLField<unknown, unknown>, node: FieldNode): number | undefined {
    const first = args.find(({ name }) => name === 'first');
    if (!first) return undefined;
    const handedIn = node.arguments?.find(({ name }) => name.value === 'first')?.value;
    const wanted = handedIn ? numberOf(handedIn) : first.defaultValue;
    return typeof wanted === 'number' ? Math.max(1, Math.min(wanted, limits.pageSize)) : limits.pageSize;
  }

  function numberOf(value: ValueNode): unknown {
    if (value.kind === Kind.INT) return Number(value.value);
    if (value.kind !== Kind.VARIABLE) return undefined;
    const name = value.name.value;
    if (Object.hasOwn(variables, name)) return variables[name];
    const usual = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name)?.defaultValue;
    return usual?.kind === Kind.INT ? Number(usual.value) : undefined;
  }

  return costOf(operation.selectionSet, root);
}

function fieldOf(parent: GraphQLNamedType | null | undefined, name: string): GraphQLField<unknown, unknown> | undefined {
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}

/** Lists without pages, and those that cost more than their items, declare their cost with their fields (`fieldCosts.ts`). */
function costOfItems(field: GraphQLField<unknown, unknown> | undefined, children: number, items = 1): number {
  const declared = field?.extensions['complexity'] as FieldCost | undefined;
  return declared ? declared({ childComplexity: items * children }) : 1 + items * children;
}
