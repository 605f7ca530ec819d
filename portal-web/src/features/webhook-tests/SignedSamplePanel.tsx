import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import type { DescribedError } from '../../graphql/describeError.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import type { EventType } from '../webhooks/webhookQueries.ts';
import { eventTypes, eventTypeWords } from '../webhooks/webhookWords.ts';
import { requestSignedSampleMutation, signedSampleQuery } from './testQueries.ts';

/** Makes a command that sends one signed request to a receiver on the reader’s own computer. */
export function SignedSamplePanel({ endpointId }: { endpointId: string }) {
  const [type, setType] = useState<EventType>('resource_updated');
  const [url, setUrl] = useState('http://localhost:3000/webhooks');
  const [sample, setSample] = useState<string | null>(null);
  const [problem, setProblem] = useState<DescribedError | null>(null);
  const [busy, setBusy] = useState(false);
  const [, requestSample] = useMutation(requestSignedSampleMutation);
  const confirmed = useFreshPasskey();

  async function request() {
    setBusy(true);
    setProblem(null);
    const { data, error } = await confirmed(() => requestSample({ input: { endpointId, type, url: url.trim() } }));
    setBusy(false);
    setProblem(error ?? null);
    setSample(data?.requestSignedSample.id ?? null);
  }

  return (
    <Panel
      title="Sign a sample for your own computer"
      lead="A curl command with a signed request, for a receiver that you are still writing. Write its URL, with http or https, as the receiver expects it in the signature. Only for localhost, 127.0.0.1 and [::1]: a signature for anybody’s public URL would help forgers."
    >
      <Stack gap="md">
        {problem && !problem.fields['url'] && <ErrorMessage message={problem.message} />}
        <Group align="flex-start" gap="sm">
          <TextInput
            label="URL of your local receiver"
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={problem?.fields['url']}
            spellCheck={false}
            autoComplete="off"
            flex="1 1 18rem"
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
          <NativeSelect
            label="Event type of the sample"
            value={type}
            onChange={(event) => setType(event.currentTarget.value as EventType)}
            data={eventTypes.map((value) => ({ value, label: eventTypeWords[value].name }))}
          />
        </Group>
        <Button variant="default" w="fit-content" loading={busy} onClick={() => void request()}>
          Make the command
        </Button>
        {sample && <Sample key={sample} id={sample} />}
      </Stack>
    </Panel>
  );
}

function Sample({ id }: { id: string }) {
  const [result, read] = usePolledQuery({
    query: signedSampleQuery,
    variables: { id },
    whileTrue: ({ signedSample }) => signedSample.command === null,
    every: 1000,
  });
  return (
    <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ signedSample: { command } }) => {
        if (command === null) return <Text role="status">A worker is signing the request, which takes about a second…</Text>;
        return <CopyableCode value={command} label="the command" block />;
      }}
    </Loaded>
  );
}
