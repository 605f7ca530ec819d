import { Button, Text } from '@mantine/core';
import { Empty } from '../../ui/states/Empty.tsx';
import { RecordList, RecordRow } from '../../ui/lists/RecordList.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge, type StatusTone } from '../../ui/values/StatusBadge.tsx';
import type { Agreement } from './businessModelQuery.ts';

const states: Record<Agreement['state'], { word: string; tone: StatusTone }> = {
  valid: { word: 'Valid', tone: 'good' },
  future: { word: 'Not valid yet', tone: 'waiting' },
  ended: { word: 'Ended', tone: 'neutral' },
  withdrawn: { word: 'Withdrawn', tone: 'stopped' },
};

type AgreementListProps = { agreements: readonly Agreement[]; onWithdraw?: (agreement: Agreement) => void };

/** The written agreements of an integration, newest first, with how each stands today. */
export function AgreementList({ agreements, onWithdraw }: AgreementListProps) {
  if (agreements.length === 0) return <Empty>There is no agreement, so the standard non-commercial licence applies.</Empty>;
  return (
    <RecordList label="Commercial agreements">
      {agreements.map((agreement) => (
        <RecordRow
          key={agreement.id}
          title={
            <Text fw={600} span>
              {agreement.reference}
            </Text>
          }
          facts={
            <>
              <Text style={{ whiteSpace: 'pre-wrap' }}>{agreement.summary}</Text>
              From {agreement.validFrom} {agreement.validUntil ? `to ${agreement.validUntil}` : 'with no end date'}, recorded{' '}
              <RelativeTime value={agreement.recordedAt} />
              {agreement.withdrawnAt && (
                <>
                  , withdrawn <RelativeTime value={agreement.withdrawnAt} />: {agreement.withdrawalReason}
                </>
              )}
            </>
          }
          marks={<StatusBadge tone={states[agreement.state].tone}>{states[agreement.state].word}</StatusBadge>}
          actions={
            onWithdraw &&
            !agreement.withdrawnAt && (
              <Button variant="default" size="xs" aria-label={`Withdraw ${agreement.reference}`} onClick={() => onWithdraw(agreement)}>
                Withdraw
              </Button>
            )
          }
        />
      ))}
    </RecordList>
  );
}
