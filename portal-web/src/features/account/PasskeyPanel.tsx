import { Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { accountQuery } from './accountQuery.ts';
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx';
import { PasskeyCard } from './PasskeyCard.tsx';
import classes from './account.module.css';

/** The account's passkeys, with what can be done with each, and a way to add another. */
export function PasskeyPanel() {
  const [result, read] = useQuery({ query: accountQuery });
  const [adding, setAdding] = useState(false);
  return (
    <Panel title="Passkeys" lead="You can sign in with any of these. To add or remove one, you confirm with an existing passkey.">
      <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ account: { passkeys } }) => (
          <Stack gap="md">
            <ul className={classes.list} aria-label="Passkeys">
              {passkeys.map((passkey) => (
                <PasskeyCard key={passkey.id} passkey={passkey} isLast={passkeys.length === 1} />
              ))}
            </ul>
            {passkeys.length === 1 && (
              <Text size="sm">
                This is your only passkey. Add another on a different device or a security key, so that losing this one does not cost you
                your account.
              </Text>
            )}
            <div>
              <Button variant="default" onClick={() => setAdding(true)} leftSection={<IconPlus size={16} aria-hidden />}>
                Add a passkey
              </Button>
            </div>
            {adding && <AddPasskeyDialog onClose={() => setAdding(false)} />}
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}
