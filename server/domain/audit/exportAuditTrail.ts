import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import type { Page } from '../shared/lists/page.ts';
import { auditEntries, countAuditEntries, identifiersOf, type AuditEntry, type AuditFilter } from './auditTrail.ts';
import { record } from './record.ts';
import { numberWords } from '../shared/text/numberWords.ts';

export const auditFormats = ['csv', 'ndjson'] as const;
export type AuditFormat = (typeof auditFormats)[number];

const columns = [
  'id',
  'occurredAt',
  'actorType',
  'actorId',
  'action',
  'subjectType',
  'subjectId',
  'operatorId',
  'integrationId',
  'requestId',
  'ip',
  'details',
] as const satisfies readonly (keyof AuditEntry)[];

/**
 * What an export with this filter would contain, so that a page can ask before a download begins, and the identifiers that its search
 * names, because the address of a download contains only identifiers. Errors: invalid_request, also for more than 100,000 entries.
 */
export async function auditExport(
  em: EntityManager,
  filter: AuditFilter,
): Promise<{ readonly entries: number; readonly identifiers: readonly string[] }> {
  const entries = await countAuditEntries(em, filter, limits.exportedAuditEntries + 1);
  if (entries <= limits.exportedAuditEntries) return { entries, identifiers: (await identifiersOf(em, filter)).ids };
  const most = numberWords(limits.exportedAuditEntries);
  throw new DomainError('invalid_request', { detail: `There are more than ${most} entries. Choose a shorter period.` });
}

/**
 * The entries that a filter finds, newest first, as pieces of text for administrators. The export itself is recorded in the trail. A filter
 * that finds more than 100,000 entries is refused before anything is read. Errors: forbidden, invalid_request.
 */
export async function exportAuditTrail(
  em: EntityManager,
  { actor, filter, format, now }: { actor: OperatorActor; filter: AuditFilter; format: AuditFormat; now: Date },
): Promise<AsyncIterable<string>> {
  if (!actor.roles.includes('administrator')) {
    throw new DomainError('forbidden', { detail: 'This operation needs the role administrator.' });
  }
  const { entries: count } = await auditExport(em, filter);
  await em.transactional((tx) =>
    record(tx, actor, now, {
      action: 'audit_trail.exported',
      subject: { type: 'service', id: 'audit' },
      details: { format, entries: count, ...detailsOf(filter) },
    }),
  );
  return piecesOf(em, filter, format, count);
}

/** What was asked for, in the form that the trail keeps. */
function detailsOf(filter: AuditFilter): Record<string, string> {
  const texts = Object.entries(filter).map(([name, value]) => [name, Array.isArray(value) ? value.join(' ') : textOf(value)] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

async function* piecesOf(em: EntityManager, filter: AuditFilter, format: AuditFormat, count: number): AsyncIterable<string> {
  if (format === 'csv') yield `${columns.join(',')}\r\n`;
  let after: string | null = null;
  // Entries that are written meanwhile are newer than the first page. The limit holds nevertheless.
  for (let left = count; left > 0;) {
    const { edges, pageInfo }: Page<AuditEntry> = await auditEntries(em, { filter, first: Math.min(left, limits.pageSize), after });
    yield edges.map(({ node }) => (format === 'csv' ? csvLine(node) : ndjsonLine(node))).join('');
    if (!pageInfo.hasNextPage) return;
    after = pageInfo.endCursor;
    left -= edges.length;
  }
}

/** An entry as one line of NDJSON. */
export function ndjsonLine(entry: AuditEntry): string {
  return `${JSON.stringify(Object.fromEntries(columns.map((name) => [name, entry[name]])))}\n`;
}

function csvLine(entry: AuditEntry): string {
  return `${columns.map((name) => csvCell(textOf(entry[name]))).join(',')}\r\n`;
}

/** A cell as in RFC 4180. An apostrophe stands before what a spreadsheet would take for a formula. */
export function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}
