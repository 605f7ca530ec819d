import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { integrationStatusWords } from '../integration/statusWords.ts';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { Facts } from '../../ui/values/Facts.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import type { AdministeredIntegration, OutstandingDeletions } from './integrationQueries.ts';
import { ReasonDialog } from './ReasonDialog.tsx';
import { reactivateIntegrationMutation, retireAnyIntegrationMutation, suspendIntegrationMutation } from './statusMutations.ts';

const decisions = {
  suspendIntegration: {
    word: 'Suspend',
    danger: true,
    effect: 'Production access stops with the next request, including on open connections. The sandbox keeps working.',
  },
  reactivateIntegration: {
    word: 'Reactivate',
    danger: false,
    effect: 'Production access resumes with the next request. The production gate stays as it is.',
  },
  retireIntegration: {
    word: 'Retire',
    danger: true,
    effect:
      'Its certificates and connections are revoked, deletion deadlines keep running, and its slug is never used again. This cannot be undone.',
  },
} as const;
type Decision = keyof typeof decisions;

type StatusPanelProps = { integration: AdministeredIntegration; own: boolean; deletions: OutstandingDeletions; onChanged: () => void };

/** An integration's status, and what an administrator may decide about it. */
export function StatusPanel({ integration, own, deletions, onChanged }: StatusPanelProps) {
  const { status, statusReason, statusChangedAt, availableActions } = integration;
  const [asked, setAsked] = useState<Decision | null>(null);
  const badge = integrationStatusWords[status];
  const open = own ? [] : (Object.keys(decisions) as Decision[]).filter((decision) => availableActions.includes(decision));
  return (
    <Panel title="Status" marks={<StatusBadge tone={badge.tone}>{badge.word}</StatusBadge>}>
      <Facts
        facts={[
          ['Changed', <Time key="changed" value={statusChangedAt ?? integration.createdAt} />],
          ['Reason', statusReason ?? 'None recorded'],
          ['Outstanding deletions', deletionWords(deletions)],
        ]}
      />
      <Group gap="sm" mt="md">
        {open.map((decision) => (
          <Button key={decision} variant="default" onClick={() => setAsked(decision)}>
            {decisions[decision].word}
          </Button>
        ))}
        {open.length === 0 && (
          <Text size="sm" c="dimmed">
            {own ? 'You own this integration, so another administrator decides about it.' : 'No action is available in this status.'}
          </Text>
        )}
      </Group>
      {asked && <DecisionDialog {...{ integration, onChanged }} decision={asked} onClose={() => setAsked(null)} />}
    </Panel>
  );
}

function deletionWords({ outstanding, overdue }: OutstandingDeletions): string {
  if (outstanding === 0) return 'None in production';
  return overdue === 0 ? `${outstanding} in production, none overdue` : `${outstanding} in production, ${overdue} of them overdue`;
}

type DecisionDialogProps = { integration: AdministeredIntegration; decision: Decision; onChanged: () => void; onClose: () => void };

function DecisionDialog({ integration, decision, onChanged, onClose }: DecisionDialogProps) {
  const [, suspend] = useMutation(suspendIntegrationMutation);
  const [, reactivate] = useMutation(reactivateIntegrationMutation);
  const [, retire] = useMutation(retireAnyIntegrationMutation);
  const confirmed = useFreshPasskey();
  const { word, danger, effect } = decisions[decision];
  const mutations = { suspendIntegration: suspend, reactivateIntegration: reactivate, retireIntegration: retire };

  async function decide(reason: string): Promise<string | null> {
    const variables = { input: { integrationId: integration.id, reason } };
    const { error } = await confirmed<object>(() => mutations[decision](variables));
    if (error) return error.message;
    onChanged();
    return null;
  }

  return (
    <ReasonDialog title={`${word} ${integration.profile.publicName}?`} confirm={word} danger={danger} onConfirm={decide} onClose={onClose}>
      <Text>
        <code>{integration.slug}</code>. {effect}
      </Text>
    </ReasonDialog>
  );
}
