import type { IncomingMessage } from 'node:http';
import { DomainError } from '../domain/shared/DomainError.ts';

/** A path and query in visible ASCII. HTTP's parser accepts other characters too, but the URL parsers behind it throw on them. */
const originForm = /^\/[\x21\x22\x24-\x7e]*$/;

/**
 * Whether the request's target can be used (RFC 9112, section 3.2.1). The absolute form, which a proxy may send, is turned into the origin
 * form. Call it before any framework sees the request.
 */
export function acceptTarget(request: IncomingMessage): boolean {
  const target = request.url ?? '';
  if (/^https?:\/\//i.test(target) && URL.canParse(target)) {
    const { pathname, search } = new URL(target);
    request.url = `${pathname}${search}`;
  }
  return originForm.test(request.url ?? '');
}

/** The refusal of a target that `acceptTarget` rejects. */
export function unreadableTarget(): DomainError {
  return new DomainError('invalid_request', { detail: 'The request target is not a path in visible ASCII characters.' });
}
