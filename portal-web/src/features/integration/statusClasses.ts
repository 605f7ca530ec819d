import type { StatusTone } from '../../ui/values/statusTone.ts';

/** The classes of responses of the machine API in the order in which they are stacked, with their words, and the tone that each has wherever it is shown. */
export const statusClasses = {
  succeeded: { word: 'Answered', range: '2xx', tone: 'good' },
  unchanged: { word: 'Unchanged', range: '304', tone: 'good' },
  refused: { word: 'Refused', range: '4xx', tone: 'waiting' },
  failed: { word: 'Failed', range: '5xx', tone: 'bad' },
} as const satisfies Readonly<Record<string, { readonly word: string; readonly range: string; readonly tone: StatusTone }>>;

export type StatusClass = keyof typeof statusClasses;
export const statusClassNames = Object.keys(statusClasses) as StatusClass[];

export function statusClassOf(status: number): StatusClass {
  if (status >= 500) return 'failed';
  if (status >= 400) return 'refused';
  return status >= 300 ? 'unchanged' : 'succeeded';
}
