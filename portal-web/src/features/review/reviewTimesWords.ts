const units = [
  ['day', 24 * 60 * 60],
  ['hour', 60 * 60],
  ['minute', 60],
] as const;

/** A span in its largest fitting unit, as in "3 days" or "5 hours". */
export function spanWords(seconds: number): string {
  for (const [unit, size] of units) {
    const count = Math.round(seconds / size);
    if (seconds >= size) return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return 'less than a minute';
}

const atMost = (seconds: number) => (seconds < 60 ? spanWords(seconds) : `${spanWords(seconds)} or less`);

type Times = { decisions: number; medianSeconds: number | null; ninetiethPercentileSeconds: number | null };

/** The published review times in a sentence. */
export function reviewTimesWords({ decisions, medianSeconds, ninetiethPercentileSeconds }: Times): string {
  if (medianSeconds === null || ninetiethPercentileSeconds === null)
    return 'There were no decisions in the last 90 days, so we cannot estimate the review time.';
  const reviews = decisions === 1 ? 'The one review' : `Half of the ${decisions} reviews`;
  if (decisions === 1) return `${reviews} of the last 90 days took ${spanWords(medianSeconds)}, questions included.`;
  return `${reviews} of the last 90 days took ${atMost(medianSeconds)}, nine in ten ${atMost(ninetiethPercentileSeconds)}, questions included.`;
}
