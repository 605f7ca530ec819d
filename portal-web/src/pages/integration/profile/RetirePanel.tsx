import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { type Integration, isOver } from '../../../features/integration/integrationQuery.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { retireIntegrationMutation } from '../../../features/profile/profileQueries.ts';

/** Offers to retire the integration. During a review, this has to wait for the decision. */
export function RetirePanel({
  integration,
  mayRetire,
  onRetired,
}: {
  integration: Integration;
  mayRetire: boolean;
  onRetired: () => void;
}) {
  const [asking, setAsking] = useState(false);
  if (isOver(integration)) return null;
  const inProduction = integration.clients.some(({ environment }) => environment === 'production');
  const left = inProduction ? 'you must delete what users have shared' : 'its test data is removed';
  return (
    <Panel title="Retire integration" lead={`Ends the integration: access stops for good, and ${left}.`}>
      {mayRetire ? (
        <Button variant="default" onClick={() => setAsking(true)}>
          Retire this integration
        </Button>
      ) : (
        <Text size="sm">The integration is under review. Withdraw the submission or wait for the decision, then retire it.</Text>
      )}
      {asking && <RetireDialog integration={integration} onClose={() => setAsking(false)} onRetired={onRetired} />}
    </Panel>
  );
}

type RetireDialogProps = { integration: Integration; onClose: () => void; onRetired: () => void };

/** Says what retiring ends, asks the reader to type the slug, and retires the integration. */
function RetireDialog({ integration: { id, slug, profile, clients }, onClose, onRetired }: RetireDialogProps) {
  const [, retireIntegration] = useMutation(retireIntegrationMutation);
  const confirmed = useFreshPasskey();
  const [typed, setTyped] = useState('');
  const inProduction = clients.some(({ environment }) => environment === 'production');

  async function retire() {
    if (typed.trim() !== slug) return `Type the slug exactly: ${slug}`;
    const { error } = await confirmed(() => retireIntegration({ input: { integrationId: id } }));
    if (error) return error.message;
    onRetired();
    return null;
  }

  return (
    <ConsequenceDialog
      title={`Retire ${profile.publicName} for good?`}
      object={
        <>
          <strong>{profile.publicName}</strong>, <code>{slug}</code>
          {inProduction ? ', in the sandbox and in production' : ', in the sandbox'}
        </>
      }
      changes={[
        'Every certificate is revoked, and every call is refused.',
        'The sandbox’s test data is removed.',
        ...(inProduction ? ['Every connection is revoked: you have 7 days to delete what users have shared and to record it here.'] : []),
        'Valid link codes are cancelled.',
        <>
          The slug <code>{slug}</code> is never used again, by anybody.
        </>,
      ]}
      unchanged={['Its pages and its record stay readable.', 'Your other integrations keep running.']}
      takesEffect="This takes effect immediately. This cannot be undone."
      verb="Retire for good"
      tone="danger"
      onConfirm={retire}
      onClose={onClose}
    >
      <TextInput
        label="Type the slug to confirm"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
    </ConsequenceDialog>
  );
}
