import type { ReactNode } from 'react';
import { useMutation } from 'urql';
import { ConsequenceDialog } from '../../ui/forms/ConsequenceDialog.tsx';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { boundedCount } from './boundedCount.ts';
import { pauseWebhookEndpointMutation, removeWebhookEndpointMutation, resumeWebhookEndpointMutation } from './webhookMutations.ts';
import type { Endpoint } from './webhookQueries.ts';

type DecisionProps = { endpoint: Endpoint; onDone: () => void; onClose: () => void };

export function PauseDialog({ endpoint, onDone, onClose }: DecisionProps) {
  const [, pause] = useMutation(pauseWebhookEndpointMutation);
  const decide = useDecision(onDone, () => pause({ input: { endpointId: endpoint.id } }));
  return (
    <ConsequenceDialog
      title="Pause this endpoint?"
      object={named(endpoint)}
      count={countOf(endpoint.health.waiting, 'waits', 'wait')}
      changes={[
        'Nothing is sent to it from now on; an attempt that is under way ends.',
        'What is still held when its own time is over becomes a dead letter, which you can replay.',
      ]}
      unchanged={['Events are kept, and delivered when you resume it.', 'Your back end can pull everything.']}
      verb="Pause"
      onConfirm={decide}
      onClose={onClose}
    />
  );
}

export function ResumeDialog({ endpoint, onDone, onClose }: DecisionProps) {
  const { held } = endpoint.health;
  const [, resume] = useMutation(resumeWebhookEndpointMutation);
  const decide = useDecision(onDone, () => resume({ input: { endpointId: endpoint.id } }));
  return (
    <ConsequenceDialog
      title="Resume this endpoint?"
      object={named(endpoint)}
      count={countOf(held, 'is held', 'are held')}
      changes={[held > 0 ? 'What is held is sent at once.' : 'The next event is sent at once.']}
      unchanged={['Dead letters stay until you replay them.']}
      verb="Resume"
      onConfirm={decide}
      onClose={onClose}
    />
  );
}

export function RemoveDialog({ endpoint, onDone, onClose }: DecisionProps) {
  const { waiting, held } = endpoint.health;
  const [, remove] = useMutation(removeWebhookEndpointMutation);
  const decide = useDecision(onDone, () => remove({ input: { endpointId: endpoint.id } }));
  return (
    <ConsequenceDialog
      title="Remove this endpoint?"
      object={named(endpoint)}
      count={countOf(waiting + held, 'that waits is discarded', 'that wait are discarded')}
      changes={['Nothing is sent to it any more.', 'This cannot be undone; you can register the same URL again and prove it again.']}
      unchanged={['What was delivered stays readable for 30 days.', 'Data stays available to your back end, which goes on pulling it.']}
      takesEffect="At once; an attempt that is under way ends."
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
      <EnvironmentTag environment={environment} /> <code>{url}</code>
    </>
  );
}

function countOf(deliveries: number, one: string, many: string): string {
  if (deliveries === 0) return 'No delivery is under way.';
  return deliveries === 1 ? `One delivery ${one}.` : `${boundedCount(deliveries)} deliveries ${many}.`;
}
