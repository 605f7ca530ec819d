import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { CheckVerdict } from './CheckVerdict.tsx';
import { ProbeTable } from './ProbeTable.tsx';
import { checkReceiverMutation, receiverCheckQuery, type ReceiverCheck } from './testQueries.ts';

const fresh = { requestPolicy: 'cache-and-network' } as const;

/** Sends good and broken requests to a receiver, and shows which it should have refused. */
export function ReceiverCheckPanel({ endpointId }: { endpointId: string }) {
  const [result, read] = usePolledQuery({
    query: receiverCheckQuery,
    variables: { endpointId },
    whileTrue: ({ webhookEndpoint }) => webhookEndpoint.receiverCheck?.state === 'running',
    every: 1000,
    context: fresh,
  });
  const reread = () => read({ requestPolicy: 'network-only' });
  const [, checkReceiver] = useMutation(checkReceiverMutation);
  const confirmed = useFreshPasskey();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function check() {
    setBusy(true);
    const { error } = await confirmed(() => checkReceiver({ input: { endpointId } }));
    setBusy(false);
    setProblem(error?.message ?? null);
    reread();
  }

  return (
    <Panel
      title="Check your receiver"
      lead="We send a series of requests, of which only some are as they should be, and see whether your receiver takes and refuses the right ones. Reviewers see the last result."
    >
      <Stack gap="md">
        {problem && <ErrorMessage message={problem} />}
        <Loaded result={result} onRetry={reread}>
          {({ webhookEndpoint: { receiverCheck } }) => (
            <>
              <Button w="fit-content" loading={busy || receiverCheck?.state === 'running'} onClick={() => void check()}>
                {receiverCheck ? 'Check again' : 'Check the receiver'}
              </Button>
              {receiverCheck && <Result check={receiverCheck} />}
            </>
          )}
        </Loaded>
      </Stack>
    </Panel>
  );
}

function Result({ check }: { check: ReceiverCheck }) {
  const { state, failure, probedAt, probes } = check;
  return (
    <>
      {state === 'running' && (
        <Text role="status">The requests are being sent. Receivers that answer at once are done within seconds.</Text>
      )}
      {failure !== null && <ErrorMessage message={failure} />}
      {probedAt !== null && (
        <>
          <Group gap="sm" role="status">
            <CheckVerdict check={check} />
            <Text size="sm" c="dimmed">
              Checked <Time value={probedAt} />
            </Text>
          </Group>
          <ProbeTable probes={probes} />
        </>
      )}
    </>
  );
}
