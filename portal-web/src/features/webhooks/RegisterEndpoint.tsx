import { Button, Group, Stack, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { useMutation } from 'urql';
import type { DescribedError } from '../../graphql/describeError.ts';
import { useEnvironment } from '../integration/environment.ts';
import { useIntegrationPaths } from '../integration/ownerView.ts';
import { EnvironmentSwitch } from '../../ui/forms/EnvironmentSwitch.tsx';
import { useFocusOnErrors } from '../../ui/forms/useFocusOnErrors.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import type { Integration } from '../integration/integrationQuery.ts';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { EndpointFields, type EndpointValues } from './EndpointFields.tsx';
import { registerWebhookEndpointMutation, verifyWebhookEndpointMutation } from './webhookMutations.ts';
import { eventTypes } from './webhookWords.ts';

type RegisterEndpointProps = { integration: Pick<Integration, 'id' | 'slug' | 'clients' | 'profile'>; onRegistered: () => void };

/** The way to another endpoint: a button, which the form takes the place of. */
export function AnotherEndpoint(props: RegisterEndpointProps) {
  const [wanted, setWanted] = useState(false);
  if (wanted) return <RegisterEndpoint {...props} focused onCancel={() => setWanted(false)} />;
  return (
    <Button variant="default" w="fit-content" onClick={() => setWanted(true)}>
      New endpoint
    </Button>
  );
}

type FormProps = RegisterEndpointProps & {
  /** Whether the form begins with the cursor in its first field. */
  focused?: boolean;
  /** Called when the reader wants no endpoint after all. Without it, the form stays. */
  onCancel?: () => void;
};

/** The form for a new endpoint, in the environment that the address names. Once it is registered, the challenge starts at once and its page shows how it goes. */
export function RegisterEndpoint({ integration, onRegistered, focused = false, onCancel }: FormProps) {
  const to = useIntegrationPaths();
  const { id: integrationId, clients, profile } = integration;
  const [environment, setEnvironment] = useState(useEnvironment()[0]);
  const [values, setValues] = useState<EndpointValues>({
    url: '',
    payloadMode: profile.webhookModel === 'full_payload' ? 'full_payload' : 'notification',
    eventTypes: [...eventTypes],
    description: '',
  });
  const [problem, setProblem] = useState<DescribedError | null>(null);
  const [busy, setBusy] = useState(false);
  const { formElement, bringToErrors } = useFocusOnErrors();
  const [, register] = useMutation(registerWebhookEndpointMutation);
  const [, verify] = useMutation(verifyWebhookEndpointMutation);
  const confirmed = useFreshPasskey();
  const navigate = useNavigate();

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const { description, url, ...rest } = values;
    const input = { integrationId, environment, url: url.trim(), description: description.trim(), ...rest };
    const { data, error } = await confirmed(() => register({ input }));
    if (!data) {
      setBusy(false);
      setProblem(error ?? null);
      return bringToErrors();
    }
    const { id } = data.registerWebhookEndpoint;
    // Whatever comes of it, the endpoint is registered; its page shows how the challenge goes, or offers to start one.
    await confirmed(() => verify({ input: { endpointId: id } }));
    onRegistered();
    await navigate(to.webhookEndpoint(id));
  }

  const fields = problem?.fields ?? {};
  const general = problem && Object.keys(fields).length === 0 ? problem.message : null;
  return (
    <Panel
      title="New endpoint"
      lead="We first send it a challenge, which shows that the address is yours. Events follow once it has been answered."
    >
      <form ref={formElement} onSubmit={(event) => void submit(event)} noValidate aria-label="New endpoint">
        <Stack gap="md" maw={640}>
          {general && <ErrorMessage message={general} />}
          <EnvironmentSwitch clients={clients} value={environment} onChange={setEnvironment} />
          {fields['environment'] && <ErrorMessage message={fields['environment']} />}
          <EndpointFields values={values} errors={fields} focused={focused} onChange={(changes) => setValues({ ...values, ...changes })} />
          <Text size="sm" c="dimmed">
            Your receiver answers the challenge with any 2xx status and a JSON object that repeats the challenge it was sent.
          </Text>
          <Group gap="sm">
            <Button type="submit" loading={busy}>
              Register and prove
            </Button>
            {onCancel && (
              <Button variant="default" onClick={onCancel}>
                Cancel
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
