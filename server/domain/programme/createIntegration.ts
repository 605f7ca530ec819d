import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../account/attempts.ts';
import { holdAccount } from '../account/lockCredentials.ts';
import { record } from '../audit/record.ts';
import { createClient } from '../client/createClient.ts';
import { Integration } from '../integration/Integration.ts';
import { integrationTransitions } from '../integration/integrationStatus.ts';
import { profileContent } from '../integration/profile/profileContent.ts';
import { newProfileErrors, type ProfileInput } from '../integration/profile/profileRules.ts';
import { ProfileVersion } from '../integration/profile/ProfileVersion.ts';
import { slugRefusal } from '../integration/slugRefusal.ts';
import { refuseUnlessTermsAccepted } from '../integration/terms/acceptTerms.ts';
import { requestSandboxCorpus } from '../sandbox/corpus/requestSandboxCorpus.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError, refuseInvalid } from '../shared/DomainError.ts';
import { newId } from '../shared/ids.ts';
import { enqueue } from '../shared/jobs.ts';
import { begin } from '../shared/stateMachine.ts';

/** The owner makes these promises for this integration, however many others they have (docs/specification.md, “Integration profile”). */
export type CreateIntegrationInput = ProfileInput & {
  slug: string;
  termsVersion: number;
  attributionRulesAccepted: boolean;
  nonCommercialUseAccepted: boolean;
};

/**
 * Creates, in one transaction, the integration with profile version 1, its sandbox client with approved scopes and baseline quota, and the
 * job that builds its corpus (docs/specification.md, “Integration profile”). Only integrations that are created count towards the day's
 * limit. Errors: invalid_request by field, conflict (terms), unauthenticated (the account is deleted), rate_limit_exceeded.
 */
export async function createIntegration(
  em: EntityManager,
  { actor, input, now }: { actor: OperatorActor; input: CreateIntegrationInput; now: Date },
): Promise<Integration> {
  refuseInvalidInput(input);
  try {
    return await em.transactional(async (tx) => {
      await holdAccount(tx, actor.operatorId);
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
      const corpus = await requestSandboxCorpus(tx, client.no, now);
      await enqueue(tx, 'buildSandboxCorpus', { clientNo: client.no, generation: corpus.generation });
      await record(tx, actor, now, {
        action: 'integration.created',
        subject: { type: 'integration', id: integration.id },
        integrationId: integration.id,
      });
      return integration;
    });
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    throw new DomainError('invalid_request', { fields: [{ path: 'input.slug', message: 'This slug is taken. Choose another one.' }] });
  }
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
