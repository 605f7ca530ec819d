import { refuseInvalid } from './DomainError.ts';
import { limits } from './limits.ts';

/** An administrator's reason without the space around it. Errors: invalid_request (`input.reason`) unless it has 1 to 500 characters. */
export function goodReason(reason: string): string {
  const words = reason.trim();
  if (words.length < 1 || words.length > limits.reasonLength) {
    refuseInvalid([{ path: 'input.reason', message: `A reason has 1 to ${limits.reasonLength} characters.` }]);
  }
  return words;
}
