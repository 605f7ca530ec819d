import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Evidence } from '../../domain/evidence/evidenceOf.ts';
import type { Integration } from '../../domain/integration/Integration.ts';
import type { PortalContext } from '../context.ts';
import { severalOf } from '../fieldCosts.ts';
import { IntegrationType } from '../integration/integrationTypes.ts';
import { EvidenceType } from './evidenceTypes.ts';

@Resolver(() => IntegrationType)
export class EvidenceResolver {
  @FieldResolver(() => [EvidenceType], {
    description: 'What the service has seen the sandbox client do: every kind, whether seen yet or not.',
    complexity: severalOf,
  })
  evidence(@Root() { id }: Integration, @Ctx() { loaders }: PortalContext): Promise<Evidence[]> {
    return loaders.evidence.load(id);
  }
}
