import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useMutation, useQuery } from 'urql';
import { graphql } from '../../graphql/graphql.ts';
import { paths } from '../../paths.ts';
import { ConsequenceDialog } from '../../ui/forms/ConsequenceDialog.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { counted } from '../../ui/text/counted.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { keepRecoveryCodes } from '../passkey/recoveryCodes.ts';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { accountQuery } from './accountQuery.ts';

const regenerateRecoveryCodesMutation = graphql(`
  mutation RegenerateRecoveryCodes {
    regenerateRecoveryCodes
  }
`);

const few = 3;

/** Shows how many recovery codes are left, and generates new ones. */
export function RecoveryCodePanel() {
  const [result, read] = useQuery({ query: accountQuery });
  const [asking, setAsking] = useState(false);
  return (
    <Panel
      title="Recovery codes"
      lead="For when you have no passkey at hand. Using a code removes all passkeys, ends all sessions, and lets you create a new passkey."
    >
      <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ account: { recoveryCodes } }) => (
          <Group justify="space-between" gap="sm">
            <Text>
              {recoveryCodes ? (
                <>
                  <strong>{recoveryCodes.unused}</strong> left, generated <Time value={recoveryCodes.createdAt} />.{' '}
                  {recoveryCodes.unused <= few ? 'Generate new codes before you run out.' : 'They cannot be shown again.'}
                </>
              ) : (
                'You have none. Generate some and keep them in a safe place.'
              )}
            </Text>
            <Button variant="default" onClick={() => setAsking(true)}>
              Generate new codes
            </Button>
          </Group>
        )}
      </Loaded>
      {asking && <RegenerateDialog unused={result.data?.account.recoveryCodes?.unused ?? 0} onClose={() => setAsking(false)} />}
    </Panel>
  );
}

function RegenerateDialog({ unused, onClose }: { unused: number; onClose: () => void }) {
  const [, regenerate] = useMutation(regenerateRecoveryCodesMutation);
  const confirmed = useFreshPasskey();
  const navigate = useNavigate();

  async function submit() {
    const { data, error } = await confirmed(() => regenerate({}));
    if (error) return error.message;
    keepRecoveryCodes(data.regenerateRecoveryCodes, { goOnTo: paths.account, replaceOthers: true });
    await navigate(paths.recoveryCodes);
    return null;
  }

  return (
    <ConsequenceDialog
      title="Generate new recovery codes?"
      object="The recovery codes of your account."
      count={`${counted(unused, 'code')} left`}
      changes={[
        unused > 0 ? 'Your existing codes stop working at once.' : 'You have codes to recover your account with.',
        'The new ones are shown only once, so be ready to save them.',
      ]}
      unchanged={['Passkeys and sessions stay.']}
      verb="Generate new codes"
      onConfirm={submit}
      onClose={onClose}
    />
  );
}
