import { useMutation } from 'urql';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { useFreshPasskey } from '../../passkey/useFreshPasskey.ts';
import type { AdministeredIntegration } from '../integrationQueries.ts';
import { mailedReasonField } from '../reasonField.ts';
import { reactivateIntegrationMutation, retireAnyIntegrationMutation, suspendIntegrationMutation } from './statusMutations.ts';

/** What an administrator may decide about the status of an integration. */
export const statusDecisions = {
  suspendIntegration: {
    word: 'Suspend',
    danger: true,
    changes: ['Production access stops with the next request, including on open connections.'],
    unchanged: ['The sandbox keeps working.', 'The production gate and the quotas stay as they are.', 'Deletion deadlines keep running.'],
  },
  reactivateIntegration: {
    word: 'Reactivate',
    danger: false,
    changes: ['Production access resumes with the next request.'],
    unchanged: ['The production gate and the quotas stay as they are.', 'Deletion deadlines keep running.'],
  },
  retireIntegration: {
    word: 'Retire',
    danger: true,
    changes: [
      'Its certificates and production connections are revoked, and its test data is removed.',
      'Its slug is never used again.',
      'This cannot be undone.',
    ],
    unchanged: ['Deletion deadlines keep running.'],
  },
} as const;

const activatesForOwner = [
  'Its owner has never activated it: you activate it in their place. Your reason should say why; the mail to the owner says that an administrator did it.',
  'Production access starts with the next request.',
];

function wasNeverActive({ timeline }: AdministeredIntegration): boolean {
  const steps = new Set(timeline.map(({ step }) => step));
  return steps.has('approved') && !steps.has('activated') && !steps.has('reactivated');
}

export type StatusDecision = keyof typeof statusDecisions;
type StatusDialogProps = { integration: AdministeredIntegration; decision: StatusDecision; onChanged: () => void; onClose: () => void };

/** Asks before the status of an integration is decided. */
export function StatusDialog({ integration, decision, onChanged, onClose }: StatusDialogProps) {
  const [, suspend] = useMutation(suspendIntegrationMutation);
  const [, reactivate] = useMutation(reactivateIntegrationMutation);
  const [, retire] = useMutation(retireAnyIntegrationMutation);
  const confirmed = useFreshPasskey();
  const { word, danger, changes, unchanged } = statusDecisions[decision];
  const inPlaceOfOwner = decision === 'reactivateIntegration' && wasNeverActive(integration);
  const mutations = { suspendIntegration: suspend, reactivateIntegration: reactivate, retireIntegration: retire };

  async function decide(reason: string): Promise<string | null> {
    const input = { integrationId: integration.id, reason };
    const { error } = await confirmed<object>(() =>
      inPlaceOfOwner ? reactivate({ input: { ...input, inPlaceOfOwner } }) : mutations[decision]({ input }),
    );
    if (error) return error.message;
    onChanged();
    return null;
  }

  return (
    <ConsequenceDialog
      title={`${word} ${integration.profile.publicName}?`}
      object={<code>{integration.slug}</code>}
      changes={inPlaceOfOwner ? activatesForOwner : changes}
      unchanged={unchanged}
      reason={mailedReasonField}
      verb={`${word} integration`}
      {...(danger && { tone: 'danger' })}
      onConfirm={decide}
      onClose={onClose}
    />
  );
}
