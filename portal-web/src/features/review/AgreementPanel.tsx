import { Text, Title } from '@mantine/core';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import classes from './review.module.css';
import type { Submission } from './reviewQueries.ts';

const stateTones = { upcoming: 'waiting', valid: 'good', ended: 'stopped', withdrawn: 'stopped' } as const;

type AgreementPanelProps = Pick<Submission, 'businessModelReports' | 'commercialAgreements'>;

/** What the owner reported about the business model, and which written agreements are on record. */
export function AgreementPanel({ businessModelReports, commercialAgreements }: AgreementPanelProps) {
  return (
    <Panel
      title="Business model"
      lead={commercialAgreements.length === 0 ? 'No agreement is on record: the licence is non-commercial only.' : 'Agreements on record.'}
    >
      <ul className={classes.items}>
        {commercialAgreements.map(({ id, reference, summary, validFrom, validUntil, state, withdrawalReason }) => (
          <li key={id} className={classes.item}>
            <div className={classes.head}>
              <Title order={3}>{reference}</Title>
              <StatusBadge tone={state in stateTones ? stateTones[state as keyof typeof stateTones] : 'neutral'}>{state}</StatusBadge>
            </div>
            <Text size="sm">{summary}</Text>
            <Text size="sm" c="dimmed">
              From {validFrom} {validUntil ? `to ${validUntil}` : 'on'}
              {withdrawalReason && `. Withdrawn: ${withdrawalReason}`}
            </Text>
          </li>
        ))}
        {businessModelReports.map(({ id, description, reportedAt }) => (
          <li key={id} className={classes.item}>
            <Text size="sm" c="dimmed" component="div">
              The owner reported a change <RelativeTime value={reportedAt} />
            </Text>
            <Text size="sm">{description}</Text>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
