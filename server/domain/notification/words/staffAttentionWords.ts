import { actOn, type AttentionWords } from './attentionKinds.ts';
import { roughSpanWords } from '../../shared/text/spanWords.ts';

/** A submission that waits for a reviewer: its number among those of the integration, who has it, and how long it has been waiting. */
type WaitingSubmission = {
  readonly submissionId: string;
  readonly number: number;
  readonly mine: boolean;
  readonly waited: number;
  /** How long half of the reviews take at most; null while nothing has been decided. */
  readonly median: number | null;
};

/** The words of a submission that waits for a reviewer. */
export function submissionWords({ submissionId, number, mine, waited, median }: WaitingSubmission): AttentionWords {
  const late = median !== null && waited > median;
  return {
    title: submissionTitle(number),
    text: [
      mine ? 'You have taken this submission, and it is your turn.' : 'Nobody has taken it yet.',
      `It has been waiting for ${roughSpanWords(waited)}${late ? `, longer than half of all reviews (${roughSpanWords(median)})` : ''}.`,
    ].join(' '),
    act: actOn('submission', mine ? 'Continue the review' : 'Open the submission', null, submissionId),
  };
}

/** What a submission is called where a reviewer hears of it: in the inbox and in mails. */
export function submissionTitle(number: number): string {
  return number === 1 ? 'New submission' : `Submitted again (submission ${number})`;
}
