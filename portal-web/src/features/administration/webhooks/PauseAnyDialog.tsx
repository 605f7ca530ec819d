import { useMutation } from 'urql';
import { webhookEndpointFacts } from '../../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { EnvironmentTag } from '../../../ui/values/EnvironmentTag.tsx';
import { useFreshPasskey } from '../../passkey/useFreshPasskey.ts';
import { reasonField } from '../reasonField.ts';
import { pauseAnyWebhookEndpointMutation, resumeAnyWebhookEndpointMutation, type FailingEndpoint } from './failingEndpointQueries.ts';

type PauseAnyDialogProps = {
  failing: FailingEndpoint;
  onClose: () => void;
  /** Called with what has been done, in words. */
  onDone: (words: string) => void;
};

/** Pauses somebody’s endpoint with a reason, or ends such a pause. */
export function PauseAnyDialog({ failing: { id, host, environment, status, integration }, onClose, onDone }: PauseAnyDialogProps) {
  const [, pause] = useMutation(pauseAnyWebhookEndpointMutation);
  const [, resume] = useMutation(resumeAnyWebhookEndpointMutation);
  const confirmed = useFreshPasskey();
  const pauses = webhookEndpointFacts[status].receives === 'yes';
  const name = integration.profile.publicName;

  async function decide(reason: string): Promise<string | null> {
    const input = { endpointId: id, reason };
    const { error } = await (pauses ? confirmed(() => pause({ input })) : confirmed<object>(() => resume({ input })));
    if (error) return error.message;
    onDone(pauses ? `An endpoint of ${name} was paused.` : `An endpoint of ${name} was resumed.`);
    return null;
  }

  return (
    <ConsequenceDialog
      title={pauses ? `Pause an endpoint of ${name}?` : `Resume an endpoint of ${name}?`}
      object={
        <>
          <EnvironmentTag environment={environment} /> <code>{host}</code>
        </>
      }
      changes={
        pauses
          ? ['Nothing is sent to it, revocations included, until an administrator resumes it.', 'The owner is emailed with the reason.']
          : ['What is held for it is sent at once.', 'The owner is emailed.']
      }
      unchanged={
        pauses
          ? ['Events are held until their own time is over.', 'The owner can still pull everything.']
          : ['Events whose own time is over are not sent.']
      }
      reason={reasonField}
      verb={pauses ? 'Pause' : 'Resume'}
      {...(pauses && { tone: 'danger' })}
      onConfirm={decide}
      onClose={onClose}
    />
  );
}
