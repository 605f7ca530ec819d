import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMutation } from 'urql';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { ReasonDialog } from '../administration/ReasonDialog.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { boundedCount } from './boundedCount.ts';
import { pauseWebhookEndpointMutation, removeWebhookEndpointMutation, resumeWebhookEndpointMutation } from './webhookMutations.ts';
import type { Endpoint } from './webhookQueries.ts';

type DecisionProps = { endpoint: Endpoint; onDone: () => void; onClose: () => void };

export function PauseDialog(props: DecisionProps) {
  const [, pause] = useMutation(pauseWebhookEndpointMutation);
  const decide = useDecision(props, () => pause({ input: { endpointId: props.endpoint.id } }));
  return (
    <Decision {...props} title="Pause this endpoint?" confirm="Pause" onConfirm={decide}>
      Nothing is sent to it from now on; an attempt that is under way ends. Events are kept and delivered when you resume it, each until its
      own time is over. What is still held then becomes a dead letter, which you can replay.
    </Decision>
  );
}

export function ResumeDialog(props: DecisionProps) {
  const { held } = props.endpoint.health;
  const [, resume] = useMutation(resumeWebhookEndpointMutation);
  const decide = useDecision(props, () => resume({ input: { endpointId: props.endpoint.id } }));
  return (
    <Decision {...props} title="Resume this endpoint?" confirm="Resume" onConfirm={decide}>
      {held > 0 ? `${held === 1 ? 'One delivery is' : `${boundedCount(held)} deliveries are`} held, and sent at once.` : 'Nothing is held.'}
    </Decision>
  );
}

export function RemoveDialog(props: DecisionProps) {
  const { waiting, held } = props.endpoint.health;
  const [, remove] = useMutation(removeWebhookEndpointMutation);
  const decide = useDecision(props, () => remove({ input: { endpointId: props.endpoint.id } }));
  const lost = waiting + held;
  return (
    <Decision {...props} title="Remove this endpoint?" confirm="Remove endpoint" danger onConfirm={decide}>
      {lost > 0
        ? `${lost === 1 ? 'One delivery that waits is' : `${boundedCount(lost)} deliveries that wait are`} discarded. `
        : 'Nothing waits to be delivered. '}
      What was delivered stays readable for 30 days. Data stays available to your back end, which goes on pulling it. This cannot be undone;
      you can register the same URL again and prove it again.
    </Decision>
  );
}

function useDecision({ onDone }: DecisionProps, operation: Parameters<ReturnType<typeof useFreshPasskey>>[0]) {
  const confirmed = useFreshPasskey();
  return async () => {
    const { error } = await confirmed(operation);
    if (error) return error.message;
    onDone();
    return null;
  };
}

type DecisionDialogProps = Omit<DecisionProps, 'onDone'> & {
  title: string;
  confirm: string;
  danger?: boolean;
  onConfirm: () => Promise<string | null>;
  children: ReactNode;
};

function Decision({ endpoint, children, title, confirm, danger = false, onConfirm, onClose }: DecisionDialogProps) {
  return (
    <ReasonDialog {...{ title, confirm, danger, onConfirm, onClose }} reason={false}>
      <Text style={{ overflowWrap: 'anywhere' }}>
        <EnvironmentTag environment={endpoint.environment} /> <code>{endpoint.url}</code>
      </Text>
      <Text>{children}</Text>
    </ReasonDialog>
  );
}
