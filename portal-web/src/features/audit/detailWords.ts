import { capital } from '../../../../server/domain/shared/text/firstLetter.ts';
import type { MomentWords } from '../../ui/time/momentWords.ts';
import type { AuditEntry } from './auditQuery.ts';

/** The labels of details whose own names are not clear enough. */
const particular: Readonly<Record<string, string>> = {
  activeFrom: 'Used from',
  by: 'Confirmed from',
  ending: 'Cancelled or withdrawn',
  expiresAt: 'Expires',
  fields: 'Changed fields',
  former: 'Previous key',
  formerValue: 'Previous value',
  generation: 'Version of the test data',
  linkCodeId: 'Link code',
  met: 'Items met',
  muted: 'Emails turned off',
  notMet: 'Items not met',
  optedIn: 'Takes part in statistics',
  recorded: 'Deletions recorded',
  renewedFrom: 'Renewed from',
  renews: 'Renewal of',
  revocationId: 'Revocation',
  statisticsOptedIn: 'Takes part in statistics',
  submissionId: 'Submission',
  takenOver: 'Reassigned',
  vehicles: 'Stock vehicles',
  withdrawn: 'Verdicts withdrawn',
};

/** The details of an entry, as names and values; `moment` has the words for times. */
export function detailsOf({ details }: Pick<AuditEntry, 'details'>, moment: MomentWords['moment']): [string, string][] {
  if (typeof details !== 'object' || details === null) return [];
  return Object.entries(details).map(([name, value]) => [particular[name] ?? sentenceCase(name), valueWords(value, moment)]);
}

function sentenceCase(name: string): string {
  return capital(name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase());
}

function valueWords(value: unknown, moment: MomentWords['moment']): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? moment(new Date(value)) : value;
  return JSON.stringify(value);
}
