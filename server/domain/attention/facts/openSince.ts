import type { IntegrationFacts } from './IntegrationFacts.ts';

/** Since when production has been answered: while the integration was not active, or a gate was closed, each of its calls for data was refused. */
export function openSince({ statusChangedAt, gateChangedAt }: Pick<IntegrationFacts, 'statusChangedAt' | 'gateChangedAt'>): Date {
  return later(statusChangedAt ?? beginning, gateChangedAt ?? beginning);
}

const beginning = new Date(0);

export const later = (a: Date, b: Date): Date => (a > b ? a : b);
