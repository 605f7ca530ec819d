import { matchesNone } from '../../server/platform/http/validators.ts';
import type { MachineContext } from '../MachineContext.ts';
import type { DocumentAnswer } from '../Operation.ts';

/** Beside each ETag. */
export const conditional = { 'Cache-Control': 'private, no-cache' };

/** Writes an answer that is not JSON, or 304 to a caller who has it. */
export function sendDocument(context: MachineContext, answer: DocumentAnswer): void {
  const { status, mediaType, body, encoding, retryAfterSeconds, etag } = answer;
  if (etag !== undefined) {
    context.set({ ...conditional, ETag: etag });
    if (matchesNone(context.req.headers['if-none-match'], etag)) {
      context.status = 304;
      return;
    }
  }
  context.status = status;
  context.set('Content-Type', mediaType);
  if (encoding) context.set('Content-Transfer-Encoding', encoding);
  if (retryAfterSeconds !== undefined) context.set('Retry-After', String(retryAfterSeconds));
  context.body = Buffer.from(body);
}
