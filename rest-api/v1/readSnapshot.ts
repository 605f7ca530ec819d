import { findSharedResource } from '../../server/domain/feed/findSharedResource.ts';
import { snapshotValidator } from '../../server/domain/feed/validator.ts';
import { hasIdForm } from '../../server/domain/shared/ids.ts';
import { accessRefusal, type ResourceKind } from '../answer/accessRefusal.ts';
import { Problem } from '../answer/problemDetails.ts';
import type { Answer, Call, Services } from '../Operation.ts';

/** The current snapshot of one resource, for both operations that read one. Throws 404, 410, and 403 without the user's consent. */
export async function readSnapshot(call: Call, { read }: Services, { type, prefix, scope }: ResourceKind): Promise<Answer> {
  const id = call.parameters[`${type}_id`] ?? '';
  if (!hasIdForm(prefix, id)) throw new Problem('not_found');
  const found = await findSharedResource(read, { clientNumber: call.client.number, id, type });
  if (found.state !== 'live') throw accessRefusal(found, scope);
  const etag = snapshotValidator(id, found.revision);
  return call.unchanged(etag) ? { notModified: true, etag } : { body: found.text, etag };
}
