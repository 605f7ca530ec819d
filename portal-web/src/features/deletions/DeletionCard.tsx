import { Button, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { counted } from '../../ui/text/counted.ts';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { absoluteWords } from '../../ui/time/timeWords.ts';
import { useNow } from '../../ui/time/useNow.ts';
import { keyNameOf } from '../integration/keyNameOf.ts';
import { useIntegration, type Service } from '../integration/useIntegration.ts';
import { acknowledgementCommand } from './acknowledgementCommand.ts';
import classes from './DeletionCard.module.css';
import { RecordDeletionDialog } from './RecordDeletionDialog.tsx';
import { refusalOfAcknowledgements } from './refusalOfAcknowledgements.ts';
import type { Revocation } from './revocationsQuery.ts';
import { TimeLeftBadge } from './TimeLeftBadge.tsx';

type DeletionCardProps = {
  revocation: Revocation;
  service: Service;
  /** Whether the command is shown at first, as it is for the deletion that is due next. */
  open: boolean;
};

/** One revocation: what to delete, the time left, and how to acknowledge the deletion. */
export function DeletionCard({ revocation, service, open }: DeletionCardProps) {
  const [recording, setRecording] = useState(false);
  const overdue = useNow() >= new Date(revocation.deletionDeadlineAt) && !revocation.acknowledgedAt && !revocation.fixture;
  const { integration } = useIntegration();
  const refusal = refusalOfAcknowledgements(integration.status, revocation);
  const client = integration.clients.find(({ environment }) => environment === revocation.environment);
  return (
    <article className={classes.card} aria-label={`Revocation ${revocation.id}`} data-overdue={overdue || undefined}>
      <div className={classes.head}>
        <Title order={2} size="h3">
          {subjectWords(revocation)}
        </Title>
        <TimeLeftBadge revocation={revocation} />
        <EnvironmentTag environment={revocation.environment} />
      </div>
      <Facts facts={factsOf(revocation)} />
      {revocation.fixture && !revocation.acknowledgedAt && (
        <Text size="sm" mt="sm">
          {refusal
            ? 'It came with the test data. Nothing is due.'
            : 'It came with the test data, so that you can try an acknowledgement. Nothing is due, and you can acknowledge it until you regenerate the data.'}
        </Text>
      )}
      {refusal && !revocation.acknowledgedAt && (
        <Text size="sm" mt="sm">
          {overdue && 'Delete every copy now. '}
          {refusal}
        </Text>
      )}
      {overdue && !refusal && <Overdue environment={revocation.environment} />}
      {!overdue && !refusal && !revocation.acknowledgedAt && (
        <details className={classes.acknowledge} open={open}>
          <summary>Acknowledge once every copy is deleted</summary>
          <CopyableCode
            value={acknowledgementCommand(revocation.id, { ...service, keyName: client ? keyNameOf(client) : '' })}
            label="the acknowledgement command"
            block
          />
        </details>
      )}
      {!revocation.acknowledgedAt && (
        <Button variant="default" size="xs" mt="sm" onClick={() => setRecording(true)}>
          Record the deletion
        </Button>
      )}
      {recording && <RecordDeletionDialog revocation={revocation} late={overdue} onClose={() => setRecording(false)} />}
    </article>
  );
}

function Overdue({ environment }: Pick<Revocation, 'environment'>) {
  return (
    <Text size="sm" mt="sm">
      Delete every copy now. The API no longer accepts an acknowledgement and returns 409 <code>acknowledgement_window_closed</code>.{' '}
      {environment === 'sandbox'
        ? 'There are no further consequences in the sandbox.'
        : 'The integration can be suspended for this. Record the deletion as soon as it is done.'}
    </Text>
  );
}

function factsOf(revocation: Revocation): [string, ReactNode][] {
  const { id, subjectType, subjectId, connectionId, revokedAt, deletionDeadlineAt, acknowledgedAt, recordedByHand, fixture } = revocation;
  const facts: [string, ReactNode][] = [['Revocation', <CopyableCode key="id" value={id} label="the revocation ID" />]];
  if (subjectType === 'resource')
    facts.push([typeWord(subjectId), <CopyableCode key="subject" value={subjectId} label="the resource ID" />]);
  facts.push(
    ['Connection', <CopyableCode key="connection" value={connectionId} label="the connection ID" />],
    ['Revoked', <RelativeTime key="revoked" value={revokedAt} />],
    ['Deadline', fixture ? 'None' : <Instant key="deadline" value={deletionDeadlineAt} />],
  );
  if (acknowledgedAt)
    facts.push([recordedByHand ? 'Recorded in the portal' : 'Acknowledged', <Instant key="acknowledged" value={acknowledgedAt} />]);
  return facts;
}

function Instant({ value }: { value: string }) {
  return <time dateTime={value}>{absoluteWords(new Date(value))}</time>;
}

/** What to delete, as in "One order" or "A whole connection, 3 resources". */
function subjectWords({ subjectType, subjectId, resourceCount }: Revocation): string {
  if (subjectType === 'resource') return `One ${typeWord(subjectId).toLowerCase()}`;
  return `A whole connection, ${counted(resourceCount, 'resource')}`;
}

function typeWord(resourceId: string): 'Stock vehicle' | 'Order' {
  return resourceId.startsWith('veh_') ? 'Stock vehicle' : 'Order';
}
