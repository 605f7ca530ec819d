import { findHistory } from '../../server/domain/feed/findHistory.ts';
import { hasIdForm } from '../../server/domain/shared/ids.ts';
import { limits } from '../../server/domain/shared/limits.ts';
import { accessRefusal, type ResourceKind } from '../answer/accessRefusal.ts';
import { Problem } from '../answer/problemDetails.ts';
import { readInteger } from '../request/queryParameters.ts';
import type { Answer, Call, Services } from '../Operation.ts';

/** A page of one resource's history, for both history operations. Throws 400, 404, 410, and 403 without the user's consent. */
export async function readHistory(call: Call, { read }: Services, { type, prefix, scope }: ResourceKind): Promise<Answer> {
  const after = readInteger(call.query, 'after', { least: 0, most: Number.MAX_SAFE_INTEGER, fallback: 0 });
  const limit = readInteger(call.query, 'limit', { least: 1, most: limits.recordsPerResponse, fallback: limits.historyItemsUnlessAsked });
  const id = call.parameters[`${type}_id`] ?? '';
  if (!hasIdForm(prefix, id)) throw new Problem('not_found');
  const found = await findHistory(read, { clientNumber: call.client.number, id, type, after, limit });
  if (found.state !== 'live') throw accessRefusal(found, scope);
  return { body: found.text };
}
