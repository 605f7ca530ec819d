/** The classes of responses in the order in which they are stacked, with their words. */
export const statusClasses = {
  succeeded: { word: 'Answered', range: '2xx' },
  unchanged: { word: 'Unchanged', range: '304' },
  refused: { word: 'Refused', range: '4xx' },
  failed: { word: 'Failed', range: '5xx' },
} as const;

export type StatusClass = keyof typeof statusClasses;
export const statusClassNames = Object.keys(statusClasses) as StatusClass[];
export type ClassTotals = Record<StatusClass, number>;

export function statusClassOf(status: number): StatusClass {
  if (status >= 500) return 'failed';
  if (status >= 400) return 'refused';
  return status >= 300 ? 'unchanged' : 'succeeded';
}

/** How many requests of each class there are. */
export function totalsOf(counts: readonly { status: number; count: number }[]): ClassTotals {
  const totals: ClassTotals = { succeeded: 0, unchanged: 0, refused: 0, failed: 0 };
  for (const { status, count } of counts) totals[statusClassOf(status)] += count;
  return totals;
}

export function sumOf(totals: ClassTotals): number {
  return statusClassNames.reduce((sum, name) => sum + totals[name], 0);
}
