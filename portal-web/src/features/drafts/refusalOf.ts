import { describeError } from '../../graphql/describeError.ts';
import type { Refusal } from './DraftSaver.ts';

/** Why the service did not store a draft. */
export function refusalOf(error: unknown): Refusal {
  const { code, message } = describeError(error);
  return { words: message, conflict: code === 'CONFLICT' };
}
