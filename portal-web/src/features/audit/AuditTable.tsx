import type { ReactNode } from 'react';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { Time } from '../../ui/time/Time.tsx';
import type { MomentWords } from '../../ui/time/momentWords.ts';
import { useMomentWords } from '../../ui/time/useZone.ts';
import { Address } from '../../ui/values/Address.tsx';
import classes from './AuditTable.module.css';
import type { AuditEntry } from './auditQuery.ts';
import { actionWords } from './auditWords.ts';
import { detailsOf } from './detailWords.ts';

type AuditTableProps = {
  entries: readonly AuditEntry[];
  actorWords: (entry: AuditEntry) => string;
  /** The subject in words, or null if the action says enough. */
  subjectWords: (entry: AuditEntry) => string | null;
};

/** Entries of the audit trail. Opening a row shows everything on record about its entry. */
export function AuditTable({ entries, actorWords, subjectWords }: AuditTableProps) {
  const { moment } = useMomentWords();
  const columns: readonly Column<AuditEntry>[] = [
    {
      header: 'Action',
      cell: (entry) => (
        <>
          {actionWords(entry.action)} <span className={classes.subject}>{subjectWords(entry)}</span>
        </>
      ),
    },
    { header: 'Actor', breaks: true, cell: (entry) => <Address value={actorWords(entry)} /> },
    { header: 'Time', cell: ({ occurredAt }) => <Time value={occurredAt} /> },
  ];
  return (
    <DataTable
      caption="Audit trail"
      columns={columns}
      rows={entries}
      rowKey={({ id }) => id}
      detail={{
        label: ({ action, occurredAt }) => `Details of ${actionWords(action)}, ${moment(new Date(occurredAt))}`,
        content: (entry) => <Facts facts={factsOf(entry, moment)} />,
      }}
    />
  );
}

function factsOf(entry: AuditEntry, moment: MomentWords['moment']): [string, ReactNode][] {
  const { occurredAt, action, subjectType, subjectId, actorId, operatorId, integrationId, requestId, ip } = entry;
  const identifier = (value: string, label: string, name: string | null = null) => (
    <span key={label}>
      {name && <div style={{ overflowWrap: 'anywhere' }}>{name}</div>}
      <Identifier value={value} label={label} />
    </span>
  );
  const facts: [string, ReactNode][] = [
    ['Time', <Time key="time" value={occurredAt} form="moment" />],
    ['Action', <code key="action">{action}</code>],
    ['Subject', <span key="subject">{subjectType.replaceAll('_', ' ')}</span>],
    ['Subject ID', identifier(subjectId, 'the identifier', entry.subjectName)],
  ];
  if (actorId) facts.push(['Actor', identifier(actorId, 'the actor', entry.actorName)]);
  if (operatorId && operatorId !== subjectId) facts.push(['Account', identifier(operatorId, 'the account', entry.operatorName)]);
  if (integrationId && integrationId !== subjectId)
    facts.push(['Integration', identifier(integrationId, 'the integration', entry.integrationName)]);
  if (requestId) facts.push(['Request', identifier(requestId, 'the request ID')]);
  if (ip) facts.push(['IP address', <code key="ip">{ip}</code>]);
  return [...facts, ...detailsOf(entry, moment)];
}
