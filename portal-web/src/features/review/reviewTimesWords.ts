import { counted } from '../../ui/text/counted.ts';
import { roughSpanWords } from '../../../../server/domain/shared/text/spanWords.ts';

/** With fewer decisions than this, a median says more about the single submission than about reviews. */
const fewestDecisions = 10;

const atMost = (seconds: number) => {
  const words = roughSpanWords(seconds * 1000);
  return seconds < 60 ? words : `${words} or less`;
};

export type Times = { decisions: number; medianSeconds: number | null; ninetiethPercentileSeconds: number | null };

/** The published review times in a sentence. It has no figure if there are too few decisions. */
export function reviewTimesWords({ decisions, medianSeconds, ninetiethPercentileSeconds }: Times): string {
  if (decisions === 0) return 'No submission was decided in the last 90 days, so we cannot estimate the review time.';
  if (decisions < fewestDecisions || medianSeconds === null || ninetiethPercentileSeconds === null)
    return `Only ${counted(decisions, 'submission')} ${decisions === 1 ? 'was' : 'were'} decided in the last 90 days, too few to estimate the review time.`;
  return `Of the ${counted(decisions, 'review')} in the last 90 days, half took ${atMost(medianSeconds)}, and nine in ten took ${atMost(ninetiethPercentileSeconds)}, including the time for questions.`;
}

/** What to say of a submission that has waited for so many milliseconds, compared with other reviews; null if it is not late. */
export function waitingBadge({ decisions, medianSeconds, ninetiethPercentileSeconds }: Times, waited: number) {
  if (decisions < fewestDecisions || medianSeconds === null || ninetiethPercentileSeconds === null) return null;
  if (waited > ninetiethPercentileSeconds * 1000) return { tone: 'bad', word: 'Longer than 9 in 10' } as const;
  return waited > medianSeconds * 1000 ? ({ tone: 'waiting', word: 'Longer than half' } as const) : null;
}
