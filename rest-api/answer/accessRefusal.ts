import type { Inaccessible } from '../../server/domain/feed/access.ts';
import type { Scope } from '../../server/domain/shared/scopes.ts';
import { Problem } from './problemDetails.ts';

/** What a path can name: the type of a resource, the prefix of its identifiers, and the scope that the operation needs. */
export type ResourceKind = { readonly type: 'order' | 'vehicle'; readonly prefix: 'ord' | 'veh'; readonly scope: Scope };

/** The refusal for a resource that cannot be read: 404, 410, or 403 if the user did not consent to `scope`. */
export function accessRefusal(found: Inaccessible, scope: Scope): Problem {
  switch (found.state) {
    case 'unknown':
      return new Problem('not_found');
    case 'revoked':
      return new Problem('access_ended', {
        extensions: { revocation_id: found.revocationId, deletion_deadline_at: found.deletionDeadlineAt },
      });
    case 'not_consented':
      return scopeRequired([scope], 'consent');
  }
}

const scopeDetails = {
  client: 'This client has none of required_scopes. Compare them with the scopes that capabilities reports.',
  consent:
    'The user did not consent to required_scopes for this connection. Capabilities does not show this; the scopes in the connection’s snapshots do.',
} as const;

/** `scope_required`, with a detail that says where the scope is missing. Any one of `scopes` would be enough. */
export function scopeRequired(scopes: readonly Scope[], missingIn: keyof typeof scopeDetails): Problem {
  return new Problem('scope_required', { detail: scopeDetails[missingIn], extensions: { required_scopes: scopes, missing_in: missingIn } });
}
