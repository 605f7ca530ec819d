import { Button, Group, Stack, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useMutation } from 'urql';
import type { DescribedError } from '../../graphql/describeError.ts';
import { Dialog } from '../../ui/forms/Dialog.tsx';
import { EnvironmentSwitch } from '../../ui/forms/EnvironmentSwitch.tsx';
import { useFocusOnErrors } from '../../ui/forms/useFocusOnErrors.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import type { Integration } from '../integration/integrationQuery.ts';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { EndpointFields, type EndpointValues } from './EndpointFields.tsx';
import { reviseWebhookEndpointMutation, verifyWebhookEndpointMutation } from './webhookMutations.ts';
import type { Endpoint } from './webhookQueries.ts';

type EditEndpointDialogProps = { endpoint: Endpoint; clients: Integration['clients']; onClose: () => void; onChange: () => void };

/** Changes an endpoint. A new URL or environment has to be proven first, and the challenge for it starts at once. */
export function EditEndpointDialog({ endpoint, clients, onClose, onChange }: EditEndpointDialogProps) {
  const { id: endpointId, url, payloadMode, eventTypes, description, environment: former } = endpoint;
  const [values, setValues] = useState<EndpointValues>({ url, payloadMode, eventTypes: [...eventTypes], description });
  const [environment, setEnvironment] = useState<'sandbox' | 'production'>(former);
  const [problem, setProblem] = useState<DescribedError | null>(null);
  const [busy, setBusy] = useState(false);
  const { formElement, bringToErrors } = useFocusOnErrors();
  const [, revise] = useMutation(reviseWebhookEndpointMutation);
  const [, verify] = useMutation(verifyWebhookEndpointMutation);
  const confirmed = useFreshPasskey();
  const moves = environment !== former;
  const moved = moves || values.url.trim() !== url;

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const input = { ...values, endpointId, environment, url: values.url.trim(), description: values.description.trim() };
    const { error } = await confirmed(() => revise({ input }));
    if (error) {
      setBusy(false);
      setProblem(error);
      return bringToErrors();
    }
    // Whatever comes of it, the change is made; the endpoint’s page shows how the challenge goes, or offers to start one.
    if (moved) await confirmed(() => verify({ input: { endpointId } }));
    onChange();
    onClose();
  }

  const fields = problem?.fields ?? {};
  return (
    <Dialog onClose={onClose} title="Edit this endpoint" size="lg">
      <form ref={formElement} onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          {problem && Object.keys(fields).length === 0 && <ErrorMessage message={problem.message} />}
          <Text style={{ overflowWrap: 'anywhere' }}>
            <EnvironmentTag environment={former} /> <code>{endpointId}</code>
          </Text>
          <EnvironmentSwitch clients={clients} value={environment} onChange={setEnvironment} />
          {fields['environment'] && <ErrorMessage message={fields['environment']} />}
          <EndpointFields values={values} errors={fields} onChange={(changes) => setValues({ ...values, ...changes })} />
          <Text>
            {moves
              ? `It receives events of ${environment === 'production' ? 'production' : 'the sandbox'} as soon as it has answered a new challenge, which starts at once. What waits for it now is discarded.`
              : moved
                ? 'The new URL has to answer a challenge first, which starts at once. Until then, deliveries are held.'
                : 'The payload and the event types apply from the next attempt and the next event on. No new proof is needed.'}
          </Text>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy}>
              {moves ? 'Save and prove again' : moved ? 'Save and prove the new URL' : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
