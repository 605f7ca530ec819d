import type { MachineContext } from '../MachineContext.ts';
import type { DocumentAnswer } from '../Operation.ts';

/** Writes an answer that is not JSON. */
export function sendDocument(context: MachineContext, { status, mediaType, body, encoding, retryAfterSeconds }: DocumentAnswer): void {
  context.status = status;
  context.set('Content-Type', mediaType);
  if (encoding) context.set('Content-Transfer-Encoding', encoding);
  if (retryAfterSeconds !== undefined) context.set('Retry-After', String(retryAfterSeconds));
  context.body = Buffer.from(body);
}
