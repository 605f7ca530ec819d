import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { useMutation } from 'urql';
import { webhookEndpointFacts } from '../../../../server/domain/outbox/webhookEndpointFacts.ts';
import type { DescribedError } from '../../graphql/describeError.ts';
import { ConsequenceDialog } from '../../ui/forms/ConsequenceDialog.tsx';
import { Dialog } from '../../ui/forms/Dialog.tsx';
import { EnvironmentSwitch } from '../../ui/forms/EnvironmentSwitch.tsx';
import { useFocusOnErrors } from '../../ui/forms/useFocusOnErrors.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Address } from '../../ui/values/Address.tsx';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { Identifier } from '../../ui/values/Identifier.tsx';
import type { Client, Integration } from '../integration/integrationQuery.ts';
import { ObjectEnvironment } from '../integration/ObjectEnvironment.tsx';
import { useIntegrationPaths, useReadOnly } from '../integration/ownerView.ts';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { boundedCount } from './boundedCount.ts';
import { EndpointFields } from './EndpointFields.tsx';
import type { Surroundings } from './endpointHealth.ts';
import { valuesOf } from './endpointValues.ts';
import { HealthLine } from './HealthLine.tsx';
import {
  pauseWebhookEndpointMutation,
  removeWebhookEndpointMutation,
  resumeWebhookEndpointMutation,
  reviseWebhookEndpointMutation,
  verifyWebhookEndpointMutation,
} from './webhookMutations.ts';
import { permittedClients } from './endpointPermissions.ts';
import type { Challenge, Endpoint } from './webhookQueries.ts';
import { eventTypeName, eventTypes as allTypes, payloadModeWords } from './webhookWords.ts';

type EndpointHeadProps = {
  endpoint: Endpoint & { readonly challenge: Challenge | null };
  integration: Surroundings & Pick<Integration, 'clients' | 'phases'>;
  onChange: () => void;
};

/** Which endpoint this is, whether its deliveries arrive, and what its owner can do with it. */
export function EndpointHead({ endpoint, integration, onChange }: EndpointHeadProps) {
  const to = useIntegrationPaths();
  const navigate = useNavigate();
  const { id, url, environment, payloadMode, eventTypes, description } = endpoint;
  return (
    <Stack gap="xs">
      <ObjectEnvironment environment={environment} />
      <Group gap="xs" justify="space-between">
        <Group gap="xs" wrap="nowrap" miw={0}>
          <Title order={2} style={{ overflowWrap: 'anywhere' }}>
            <Address value={url} />
          </Title>
          <CopyButton value={url} label="the URL" />
        </Group>
        <EndpointActions
          {...{ endpoint, onChange }}
          clients={permittedClients(integration)}
          onRemoved={() => void navigate(to.webhooks())}
        />
      </Group>
      <HealthLine {...{ endpoint, integration }} />
      <Group gap="xs">
        <EnvironmentTag environment={environment} />
        <Text size="sm">{payloadModeWords[payloadMode].word}</Text>
        <Identifier value={id} />
      </Group>
      <Text size="sm" c="dimmed">
        {description !== '' && `${description}. `}
        {allTypes.every((type) => eventTypes.includes(type)) ? 'All event types.' : `Only ${eventTypes.map(eventTypeName).join(', ')}.`}
      </Text>
    </Stack>
  );
}

type Asked = 'edit' | 'pause' | 'resume' | 'remove';
type EndpointActionsProps = {
  endpoint: Endpoint;
  /** Those of the environments in which endpoints can be changed now. */
  clients: readonly Client[];
  onChange: () => void;
  onRemoved: () => void;
};

/** What its owner can do with an endpoint. Each button opens a dialog that says what will happen. */
function EndpointActions({ endpoint, clients, onChange, onRemoved }: EndpointActionsProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { status, pausedBy, environment } = endpoint;
  const readOnly = useReadOnly();
  const { receives } = webhookEndpointFacts[status];
  if (receives === 'never' || readOnly) return null;
  const close = () => setAsked(null);
  const buttons: readonly (readonly [Asked, string, boolean])[] = [
    ['edit', 'Edit', clients.some((each) => each.environment === environment)],
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

type EditEndpointDialogProps = { endpoint: Endpoint; clients: readonly Client[]; onClose: () => void; onChange: () => void };

/** Changes an endpoint. A new URL or environment has to be proven first, and the challenge for it starts at once. */
function EditEndpointDialog({ endpoint, clients, onClose, onChange }: EditEndpointDialogProps) {
  const { id: endpointId, url, environment: former } = endpoint;
  const [values, setValues] = useState(valuesOf(endpoint));
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
              ? `It receives events of ${environment === 'production' ? 'production' : 'the sandbox'} as soon as it has answered a new challenge, which starts at once. Deliveries waiting for it now are discarded.`
              : moved
                ? 'The new URL has to answer a challenge first, which starts at once. Until then, deliveries are held.'
                : 'The payload applies from the next attempt, and the event types from the next event. No new proof is needed.'}
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

type DecisionProps = { endpoint: Endpoint; onDone: () => void; onClose: () => void };

function PauseDialog({ endpoint, onDone, onClose }: DecisionProps) {
  const [, pause] = useMutation(pauseWebhookEndpointMutation);
  const decide = useDecision(onDone, () => pause({ input: { endpointId: endpoint.id } }));
  return (
    <ConsequenceDialog
      title="Pause this endpoint?"
      object={named(endpoint)}
      count={countOf(endpoint.health.waiting, 'is waiting', 'are waiting')}
      changes={[
        'Nothing more is sent to it; an attempt under way is finished.',
        'Events still held when their window ends are not delivered; you can replay them.',
      ]}
      unchanged={['Events are kept, and delivered when you resume it.', 'Your back end can pull everything.']}
      verb="Pause"
      onConfirm={decide}
      onClose={onClose}
    />
  );
}

function ResumeDialog({ endpoint, onDone, onClose }: DecisionProps) {
  const { held } = endpoint.health;
  const [, resume] = useMutation(resumeWebhookEndpointMutation);
  const decide = useDecision(onDone, () => resume({ input: { endpointId: endpoint.id } }));
  return (
    <ConsequenceDialog
      title="Resume this endpoint?"
      object={named(endpoint)}
      count={countOf(held, 'is held', 'are held')}
      changes={[held > 0 ? 'Held deliveries are sent at once.' : 'The next event is sent at once.']}
      unchanged={['Events that were not delivered stay until you replay them.']}
      verb="Resume"
      onConfirm={decide}
      onClose={onClose}
    />
  );
}

function RemoveDialog({ endpoint, onDone, onClose }: DecisionProps) {
  const { waiting, held } = endpoint.health;
  const [, remove] = useMutation(removeWebhookEndpointMutation);
  const decide = useDecision(onDone, () => remove({ input: { endpointId: endpoint.id } }));
  return (
    <ConsequenceDialog
      title="Remove this endpoint?"
      object={named(endpoint)}
      count={countOf(waiting + held, 'is discarded', 'are discarded')}
      changes={['Nothing is sent to it any more.', 'This cannot be undone; you can register the same URL again and prove it again.']}
      unchanged={['Past deliveries stay readable for 30 days.', 'Your back end can still pull all data.']}
      takesEffect="At once; an attempt under way is finished."
      verb="Remove endpoint"
      tone="danger"
      onConfirm={decide}
      onClose={onClose}
    />
  );
}

function useDecision(onDone: () => void, operation: Parameters<ReturnType<typeof useFreshPasskey>>[0]) {
  const confirmed = useFreshPasskey();
  return async () => {
    const { error } = await confirmed(operation);
    if (error) return error.message;
    onDone();
    return null;
  };
}

function named({ environment, url }: Endpoint): ReactNode {
  return (
    <>
      <EnvironmentTag environment={environment} />{' '}
      <code>
        <Address value={url} />
      </code>
    </>
  );
}

function countOf(deliveries: number, one: string, many: string): string {
  if (deliveries === 0) return 'No delivery is under way.';
  return deliveries === 1 ? `One delivery ${one}.` : `${boundedCount(deliveries)} deliveries ${many}.`;
}
