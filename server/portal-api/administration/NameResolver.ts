import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { actorOf, type PortalContext } from '../context.ts';
import { GateChangeType } from '../gate/gateTypes.ts';
import { PublishedTermsType } from '../terms/termsTypes.ts';
import { ServiceTokenType } from '../tooling/serviceTokenTypes.ts';
import { AuditEntryType } from './auditTypes.ts';

/** The names beside the identifiers in the trail. Only administrators see them, because a trail can name things that belong to others. */
@Resolver(() => AuditEntryType)
export class AuditNameResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'For administrators: the address or name of the actor, if it still exists.',
  })
  actorName(@Root() { actorId }: AuditEntryType, @Ctx() context: PortalContext): Promise<string | null> | null {
    return nameOf(actorId, context);
  }

  @FieldResolver(() => String, { nullable: true, description: 'For administrators: the address or name of what it was done to.' })
  subjectName(@Root() { subjectId }: AuditEntryType, @Ctx() context: PortalContext): Promise<string | null> | null {
    return nameOf(subjectId, context);
  }

  @FieldResolver(() => String, { nullable: true, description: 'For administrators: the name of the integration concerned.' })
  integrationName(@Root() { integrationId }: AuditEntryType, @Ctx() context: PortalContext): Promise<string | null> | null {
    return nameOf(integrationId, context);
  }

  @FieldResolver(() => String, { nullable: true, description: 'For administrators: the address of the account concerned.' })
  operatorName(@Root() { operatorId }: AuditEntryType, @Ctx() context: PortalContext): Promise<string | null> | null {
    return nameOf(operatorId, context);
  }
}

@Resolver(() => GateChangeType)
export class GateNameResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'The administrator’s address; null once the account is deleted, and for the terminal.',
  })
  changedByName(@Root() { changedBy }: GateChangeType, @Ctx() context: PortalContext): Promise<string | null> | null {
    return nameOf(changedBy, context);
  }
}

@Resolver(() => ServiceTokenType)
export class ServiceTokenNameResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'The administrator’s address; null once the account is deleted, and for the terminal.',
  })
  createdByName(@Root() { createdBy }: ServiceTokenType, @Ctx() context: PortalContext): Promise<string | null> | null {
    return nameOf(createdBy, context);
  }
}

@Resolver(() => PublishedTermsType)
export class TermsNameResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'The administrator’s address; null once the account is deleted, and for the version that the service came with.',
  })
  publishedByName(@Root() { publishedBy }: PublishedTermsType, @Ctx() context: PortalContext): Promise<string | null> | null {
    return nameOf(publishedBy, context);
  }
}

function nameOf(id: string | null | undefined, context: PortalContext): Promise<string | null> | null {
  return id && actorOf(context).roles.includes('administrator') ? context.loaders.name.load(id) : null;
}
