import { IsolationLevel, type EntityManager } from '@mikro-orm/postgresql';
import type { Integration } from '../integration/Integration.ts';
import { lockIntegration } from '../integration/lockIntegration.ts';
import { nextProfileVersion } from '../integration/profile/nextProfileVersion.ts';
import { profileContent } from '../integration/profile/profileContent.ts';
import type { ProfileContent } from '../integration/profile/profileDiff.ts';
import type { ProfileInput } from '../integration/profile/ProfileInput.ts';
import { newCountryErrors, newScopesErrors, profileErrors } from '../integration/profile/profileRules.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { refuseInvalid } from '../shared/DomainError.ts';
import { changeSandboxScopes } from '../sandbox/corpus/changeSandboxScopes.ts';

/** The profile as it should become; `version` is the one that was edited. */
type ReviseProfileInput = ProfileInput & { readonly integrationId: string; readonly version: number };

/**
 * Stores a new version of the owner's profile; the logo stays, and so does an optional field that is left out. If its scopes change, they apply to the sandbox client at once, and its
 * corpus is regenerated (docs/specification.md, “Profile versions”). Errors: invalid_request by field, not_found, conflict (under review,
 * retired, edited in the meantime), rate_limit_exceeded (versions, scopes).
 */
export async function reviseProfile(
  em: EntityManager,
  { actor, input, now }: { actor: OperatorActor; input: ReviseProfileInput; now: Date },
): Promise<Integration> {
  refuseInvalid(profileErrors(input));
  return em.transactional(
    async (tx) => {
      const integration = await lockIntegration(tx, input.integrationId, actor.operatorId);
      const content = profileContent(input);
      const changes = await nextProfileVersion(tx, {
        actor,
        integration,
        editedVersion: input.version,
        content: given(content, input),
        now,
      });
      // Integrations from before these rules keep their country and their scopes, whatever else of their profile changes.
      if (changes.some(({ field }) => field === 'country')) refuseInvalid(newCountryErrors(input));
      if (changes.some(({ field }) => field === 'requestedScopes')) {
        refuseInvalid(newScopesErrors(input));
        await changeSandboxScopes(tx, { actor, integrationId: integration.id, scopes: content.requestedScopes, now });
      }
      return integration;
    },
    { isolationLevel: IsolationLevel.READ_COMMITTED },
  );
}

/** Without what the input leaves out: an open page of the release before does not know the fields of this one, and must not clear them. */
function given(content: Partial<ProfileContent>, input: Readonly<Record<string, unknown>>): Partial<ProfileContent> {
  return Object.fromEntries(Object.entries(content).filter(([field]) => input[field] !== undefined));
}
