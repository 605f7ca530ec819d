import { refuseInvalid } from './DomainError.ts';
import { limits } from './limits.ts';
import { flawOf, isBlank } from './text/writtenText.ts';

/**
 * A reason for somebody to read, or what else the field is called, trimmed. Errors: invalid_request (`input.reason`) unless it has 1 to 500
 * characters, with no control characters but line breaks and tabs; half of a surrogate pair is refused, too, because it could not be read
 * back from the audit trail's JSON.
 */
export function goodReason(reason: string, field = 'reason'): string {
  const words = reason.trim();
  if (isBlank(words) || words.length > limits.reasonLength) {
    refuseInvalid([{ path: `input.${field}`, message: `A ${field} must have 1 to ${limits.reasonLength} characters.` }]);
  }
  const flaw = flawOf(words, { lines: true });
  if (flaw !== null) refuseInvalid([{ path: `input.${field}`, message: `This ${field} ${flaw}.` }]);
  return words;
}
