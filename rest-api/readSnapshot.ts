import { findSharedResource } from '../server/domain/feed/findSharedResource.ts';
import { snapshotValidator } from '../server/domain/feed/validator.ts';
import { hasIdForm } from '../server/domain/shared/ids.ts';
import type { Scope } from '../server/domain/shared/scopes.ts';
import { Problem } from './problemDetails.ts';
import type { Answer, Call, Services } from './Route.ts';

type Kind = { readonly type: 'order' | 'vehicle'; readonly prefix: 'ord' | 'veh'; readonly scope: Scope };

/** The current snapshot of one resource: what both detail operations do. Throws 404, 410 and the consent's 403. */
export async function readSnapshot(call: Call, { read }: Services, { type, prefix, scope }: Kind): Promise<Answer> {
  const id = call.parameters[`${type}_id`] ?? '';
  if (!hasIdForm(prefix, id)) throw new Problem('not_found');
  const found = await findSharedResource(read, { clientNo: call.client.no, id, type });
  switch (found.state) {
    case 'unknown':
      throw new Problem('not_found');
    case 'revoked':
      throw new Problem('access_ended', {
        extensions: { revocation_id: found.revocationId, deletion_deadline_at: found.deletionDeadlineAt },
      });
    case 'not_consented':
      throw new Problem('scope_required', { extensions: { required_scopes: [scope], missing_in: 'consent' } });
    case 'live': {
      const etag = snapshotValidator(id, found.revision);
      return call.unchanged(etag) ? { notModified: true, etag } : { body: found.text, etag };
    }
  }
}
