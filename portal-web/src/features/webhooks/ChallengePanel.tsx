import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { challengeFacts } from '../../../../server/domain/webhook/challengeFacts.ts';
import { webhookEndpointFacts } from '../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { ProgressSteps, type Step } from '../../ui/states/ProgressSteps.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { durationWords } from '../../ui/time/timeWords.ts';
import { useReadOnly } from '../integration/ownerView.ts';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { cureOf } from './challengeWords.ts';
import { verifyWebhookEndpointMutation } from './webhookMutations.ts';
import type { Challenge, Endpoint } from './webhookQueries.ts';

type ChallengePanelProps = {
  endpoint: Pick<Endpoint, 'id' | 'url' | 'status' | 'provenAt'> & { readonly challenge: Challenge | null };
  onChange: () => void;
};

/** The ownership challenge as it runs, step by step, and what to do where it failed. An endpoint that is proven shows only when. */
export function ChallengePanel({ endpoint, onChange }: ChallengePanelProps) {
  const { id: endpointId, status, provenAt, challenge } = endpoint;
  const [, verify] = useMutation(verifyWebhookEndpointMutation);
  const confirmed = useFreshPasskey();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const readOnly = useReadOnly();
  const { receives } = webhookEndpointFacts[status];
  if (receives === 'never') return null;
  const running = challenge !== null && challengeFacts[challenge.status].isRunning;
  const failed = challenge !== null && !running && !challengeFacts[challenge.status].proves;

  async function prove() {
    setBusy(true);
    const { error } = await confirmed(() => verify({ input: { endpointId } }));
    setBusy(false);
    setProblem(error?.message ?? null);
    onChange();
  }

  const again = !readOnly && (
    <Button
      variant={receives === 'notYet' ? 'filled' : 'default'}
      size={receives === 'notYet' ? 'sm' : 'xs'}
      w="fit-content"
      loading={busy}
      onClick={() => void prove()}
    >
      {challenge ? 'Send the challenge again' : 'Send the challenge'}
    </Button>
  );
  if (provenAt !== null && !failed && !running) {
    return (
      <Group gap="sm">
        <Text size="sm" c="dimmed">
          Proven <Time value={provenAt} />.
        </Text>
        {again}
        {problem && <ErrorMessage message={problem} />}
      </Group>
    );
  }
  return (
    <Panel
      title="Proof that the address is yours"
      lead="We post a random value to your URL. Your receiver answers with a 2xx status and a JSON object that repeats it."
    >
      <Stack gap="md">
        {problem && <ErrorMessage message={problem} />}
        {challenge && (
          <div role="status">
            <ProgressSteps steps={stepsOf(challenge)} />
          </div>
        )}
        {failed && <Cure challenge={challenge} />}
        {!running && again}
      </Stack>
    </Panel>
  );
}

function stepsOf({ id, status, steps }: Challenge): readonly Step[] {
  const past: readonly Step[] = steps.map((step) => ({
    key: `${id} ${step.name}`,
    state: step.outcome === 'failed' ? 'failed' : 'done',
    words: step.tookMs > 0 ? `${step.detail} (${durationWords(step.tookMs)})` : step.detail,
  }));
  return challengeFacts[status].isRunning
    ? [...past, { key: `${id} next`, state: 'working', words: steps.length === 0 ? 'Queued. It starts within seconds.' : 'On the way…' }]
    : past;
}

function Cure({ challenge }: { challenge: Challenge }) {
  const { failure, finishedAt, steps } = challenge;
  const told = steps.some(({ outcome }) => outcome === 'failed');
  return (
    <Text>
      {!told && failure} <strong>{cureOf(challenge)}</strong>
      {finishedAt && (
        <Text span size="sm" c="dimmed">
          {' '}
          Tried <Time value={finishedAt} />.
        </Text>
      )}
    </Text>
  );
}
