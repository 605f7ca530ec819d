import { Anchor, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useMutation } from 'urql';
import { useIntegrationPaths } from '../integration/ownerView.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { sendTestEventMutation } from './testQueries.ts';
import type { EventType } from '../webhooks/webhookQueries.ts';
import { eventTypes, eventTypeWords } from '../webhooks/webhookWords.ts';

/** Sends a real, signed delivery about a fixture of the test data. */
export function TestEventPanel({ endpointId }: { endpointId: string }) {
  const to = useIntegrationPaths();
  const [type, setType] = useState<EventType>('resource_updated');
  const [sent, setSent] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [, sendTestEvent] = useMutation(sendTestEventMutation);
  const confirmed = useFreshPasskey();

  async function send() {
    setBusy(true);
    setProblem(null);
    setSent(null);
    const { data, error } = await confirmed(() => sendTestEvent({ input: { endpointId, type } }));
    setBusy(false);
    setProblem(error?.message ?? null);
    setSent(data?.sendTestEvent.id ?? null);
  }

  return (
    <Panel
      title="Send a test event"
      lead="A real delivery with a real signature, about a fixture in your test data. Your receiver cannot tell it from any other; only this portal marks it as a test."
    >
      <Stack gap="md">
        {problem && <ErrorMessage message={problem} />}
        <Group align="flex-end" gap="sm">
          <NativeSelect
            label="Event type"
            value={type}
            onChange={(event) => setType(event.currentTarget.value as EventType)}
            data={eventTypes.map((value) => ({ value, label: eventTypeWords[value].name }))}
          />
          <Button loading={busy} onClick={() => void send()}>
            Send test event
          </Button>
        </Group>
        {sent && (
          <Text role="status">
            The event is on its way.{' '}
            <Anchor component={Link} to={to.webhookDelivery(endpointId, sent)} inherit>
              Follow its delivery
            </Anchor>
          </Text>
        )}
      </Stack>
    </Panel>
  );
}
