import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Dialog } from '../../ui/forms/Dialog.tsx';
import { onSignOutAsked, useSignOut } from './useSignOut.ts';

/** Asks before signing out discards what the reader has typed in this tab: afterwards nobody may find it there. */
export function SignOutQuestion() {
  const [asked, setAsked] = useState(false);
  const { signingOut, signOutAtOnce } = useSignOut();
  useEffect(() => onSignOutAsked(() => setAsked(true)), []);
  if (!asked) return null;
  return (
    <Dialog title="Sign out and discard your text?" onClose={() => setAsked(false)}>
      <Stack gap="md">
        <Text>You have typed something in this tab that is not saved or sent. Signing out discards it.</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => setAsked(false)}>
            Stay signed in
          </Button>
          <Button color="red.9" loading={signingOut} onClick={() => void signOutAtOnce()}>
            Discard and sign out
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
