import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../account/attempts.ts';
import { holdAccount } from '../account/lockCredentials.ts';
import { record } from '../audit/record.ts';
import { createClient } from '../client/createClient.ts';
import { Integration } from '../integration/Integration.ts';
import { integrationTransitions } from '../integration/integrationStatus.ts';
import { profileContent } from '../integration/profile/profileContent.ts';
import { profileDiff } from '../integration/profile/profileDiff.ts';
import type { ProfileInput } from '../integration/profile/ProfileInput.ts';
import { newProfileErrors } from '../integration/profile/profileRules.ts';
import { ProfileVersion } from '../integration/profile/ProfileVersion.ts';
import { slugRefusal } from '../integration/slugRefusal.ts';
import { refuseUnlessTermsAccepted } from '../integration/terms/acceptTerms.ts';
import { requestSandboxCorpus } from '../sandbox/corpus/requestSandboxCorpus.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError, refuseInvalid } from '../shared/DomainError.ts';
import { newId } from '../shared/ids.ts';
import { enqueue } from '../shared/jobs.ts';
import { begin } from '../shared/stateMachine.ts';
import { violates } from '../shared/uniqueViolation.ts';

/** The owner makes these promises for this integration, however many others they have (docs/specification.md, “Integration profile”). */
type CreateIntegrationInput = ProfileInput & {
  slug: string;
  termsVersion: number;
  attributionRulesAccepted: boolean;
  nonCommercialUseAccepted: boolean;
};

/**
 * Creates, in one transaction, the integration with profile version 1, its sandbox client with approved scopes and baseline quota, and the
 * job that builds its corpus (docs/specification.md, “Integration profile”). An owner who repeats it, as after an answer that was lost,
 * gets the integration that there is. Only integrations that are created count towards the day's limit. Errors: invalid_request by field,
 * conflict (terms), unauthenticated (the account is deleted), rate_limit_exceeded.
 */
export async function createIntegration(
  em: EntityManager,
  { actor, input, now }: { actor: OperatorActor; input: CreateIntegrationInput; now: Date },
): Promise<Integration> {
  refuseInvalidInput(input);
  try {
    return await em.transactional(async (tx) => {
      await holdAccount(tx, actor.operatorId);
      const created = await alreadyCreated(tx, actor, input);
      if (created) return created;
      await takeAttempt(tx, { kind: 'integration_operator', source: actor.operatorId }, now);
      const terms = await refuseUnlessTermsAccepted(tx, actor.operatorId);
      if (input.termsVersion !== terms.version) {
        throw new DomainError('conflict', {
          detail: `Version ${terms.version} of the Integration Terms is current. Accept that version first.`,
        });
      }
      const integration = tx.create(Integration, {
        id: newId('int'),
        operatorId: actor.operatorId,
        slug: input.slug,
        profileVersion: 1,
        reviewedProfileVersion: null,
        productionGateOpen: false,
        ...begin(integrationTransitions, 'createIntegration', { createdAt: now }),
      });
      tx.persist(integration);
      const profile = firstProfile(tx, { integration, input, termsVersion: terms.version, now });
      tx.persist(profile);
      await tx.flush();
      const client = await createClient(tx, {
        integrationId: integration.id,
        environment: 'sandbox',
        scopes: profile.requestedScopes,
        now,
      });
      const corpus = await requestSandboxCorpus(tx, client.number, now);
      await enqueue(tx, 'buildSandboxCorpus', { clientNumber: client.number, generation: corpus.generation });
      await record(tx, actor, now, {
        action: 'integration.created',
        subject: { type: 'integration', id: integration.id },
        integrationId: integration.id,
      });
      return integration;
    });
  } catch (error) {
    if (!violates(error, 'integration_slug_key')) throw error;
    // The first of two that came at the same time.
    const created = await alreadyCreated(em.fork(), actor, input);
    if (created) return created;
    throw new DomainError('invalid_request', { fields: [{ path: 'input.slug', message: 'This slug is taken. Choose another one.' }] });
  }
}

/** The actor's own integration that the same input has made, as long as nothing about it has changed since. */
async function alreadyCreated(
  em: EntityManager,
  { operatorId }: OperatorActor,
  input: CreateIntegrationInput,
): Promise<Integration | null> {
  const created = await em.findOne(Integration, { slug: input.slug, operatorId, status: 'sandbox', profileVersion: 1 });
  const profile =
    created && (await em.findOne(ProfileVersion, { integrationId: created.id, version: 1, termsVersion: input.termsVersion }));
  return profile && profileDiff(profile, { ...profileContent(input), logoId: null }).length === 0 ? created : null;
}

function refuseInvalidInput(input: CreateIntegrationInput): void {
  const slug = slugRefusal(input.slug);
  refuseInvalid([
    ...(slug === null ? [] : [{ path: 'input.slug', message: slug }]),
    ...newProfileErrors(input),
    ...(input.attributionRulesAccepted
      ? []
      : [{ path: 'input.attributionRulesAccepted', message: 'Accept the attribution and app-link rules.' }]),
    ...(input.nonCommercialUseAccepted
      ? []
      : [{ path: 'input.nonCommercialUseAccepted', message: 'Accept that the standard licence is non-commercial only.' }]),
  ]);
}

type FirstProfile = { integration: Integration; input: CreateIntegrationInput; termsVersion: number; now: Date };

/**
 * Every acceptance dates from the moment at which this profile was created. An earlier integration's acceptance says nothing about this
 * one.
 */
function firstProfile(tx: EntityManager, { integration, input, termsVersion, now }: FirstProfile): ProfileVersion {
  return tx.create(ProfileVersion, {
    integrationId: integration.id,
    version: 1,
    ...profileContent(input),
    logoId: null,
    termsVersion,
    attributionAcceptedAt: now,
    nonCommercialAcceptedAt: now,
    createdAt: now,
    createdBy: integration.operatorId,
  });
}
