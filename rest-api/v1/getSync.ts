import { changesSince } from '../../server/domain/feed/changesSince.ts';
import { pageValidator } from '../../server/domain/feed/validator.ts';
import { limits } from '../../server/domain/shared/limits.ts';
import { PageBody } from '../answer/pageBody.ts';
import { Problem } from '../answer/problemDetails.ts';
import { readInteger } from '../request/queryParameters.ts';
import type { Answer, Call, Services } from '../Operation.ts';

/** GET /v1/sync: a page of changes after a cursor, or from the beginning (initial and recovery sync). */
export async function getSync(call: Call, { readRows, cursors, pool }: Services): Promise<Answer> {
  const limit = readInteger(call.query, 'limit', { least: 1, most: limits.recordsPerResponse, fallback: limits.recordsPerResponse });
  const { number: clientNumber, head, epoch } = call.client;
  const position = startPosition(call, cursors);
  // The key may change during the request. The validator and the next cursor must have the same one.
  const { current } = cursors;

  // Admission's head is never newer than the page's, so "unchanged" is safe to say and costs no further query.
  const known = pageValidator({ clientNumber, limit, epoch, head, position, cursorTag: current.tag });
  if (call.unchanged(known)) return { notModified: true, etag: known };

  const body = new PageBody(pool);
  const page = await changesSince(readRows, { clientNumber, position, limit }, body);
  // The epoch has changed between admission and page, so the old cursor no longer has this page as its continuation.
  if (page.epoch !== epoch && position > 0) throw invalidCursor();
  const nextCursor = current.encode({ clientNumber, epoch: page.epoch, position: page.position });
  return {
    body: body.finish(nextCursor, page.hasMore),
    etag: pageValidator({ clientNumber, limit, epoch: page.epoch, head: page.head, position, cursorTag: current.tag }),
    page: { epoch: page.epoch, from: position, to: page.position, hasMore: page.hasMore },
  };
}

function startPosition({ query, client }: Call, cursors: Services['cursors']): number {
  const cursor = query['updated_since'];
  if (cursor === undefined) return 0;
  if (cursor === '') throw invalidCursor('updated_since is empty. The first sync leaves it out, and so does a recovery sync.');
  const from = cursors.decode(cursor, client.number);
  if (!from || from.epoch !== client.epoch || from.position > client.head) throw invalidCursor();
  return from.position;
}

const notIssued =
  'updated_since was not issued to this client in the current feed, or was altered. Start a recovery sync without updated_since.';

function invalidCursor(detail = notIssued): Problem {
  return new Problem('invalid_cursor', { detail, extensions: { errors: [{ parameter: 'updated_since', detail }] } });
}
