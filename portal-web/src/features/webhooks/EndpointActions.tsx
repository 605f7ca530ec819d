import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { webhookEndpointFacts } from '../../../../server/domain/outbox/webhookEndpointFacts.ts';
import type { Integration } from '../integration/integrationQuery.ts';
import { useReadOnly } from '../integration/ownerView.ts';
import { EditEndpointDialog } from './EditEndpointDialog.tsx';
import { PauseDialog, RemoveDialog, ResumeDialog } from './EndpointDecisions.tsx';
import type { Endpoint } from './webhookQueries.ts';

type Asked = 'edit' | 'pause' | 'resume' | 'remove';
type EndpointActionsProps = { endpoint: Endpoint; clients: Integration['clients']; onChange: () => void; onRemoved: () => void };

/** What its owner can do with an endpoint. Each button opens a dialog that says what will happen. */
export function EndpointActions({ endpoint, clients, onChange, onRemoved }: EndpointActionsProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { status, pausedBy } = endpoint;
  const readOnly = useReadOnly();
  const { receives } = webhookEndpointFacts[status];
  if (receives === 'never' || readOnly) return null;
  const close = () => setAsked(null);
  const buttons: readonly (readonly [Asked, string, boolean])[] = [
    ['edit', 'Edit', true],
    ['pause', 'Pause', receives === 'yes'],
    ['resume', 'Resume', receives === 'notNow' && pausedBy !== 'administrator'],
    ['remove', 'Remove', !(receives === 'notNow' && pausedBy === 'administrator')],
  ];
  return (
    <Group gap="xs">
      {buttons.map(
        ([act, word, open]) =>
          open && (
            <Button key={act} variant="default" size="xs" onClick={() => setAsked(act)}>
              {word}
            </Button>
          ),
      )}
      {asked === 'edit' && <EditEndpointDialog {...{ endpoint, clients, onChange }} onClose={close} />}
      {asked === 'pause' && <PauseDialog {...{ endpoint }} onDone={onChange} onClose={close} />}
      {asked === 'resume' && <ResumeDialog {...{ endpoint }} onDone={onChange} onClose={close} />}
      {asked === 'remove' && <RemoveDialog {...{ endpoint }} onDone={onRemoved} onClose={close} />}
    </Group>
  );
}
