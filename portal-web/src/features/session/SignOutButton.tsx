import { Button } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useSignOut } from './useSignOut.ts';

/** Ends the session and goes to the landing page. */
export function SignOutButton() {
  const { signingOut, signOut } = useSignOut();
  return (
    <Button
      variant="default"
      size="xs"
      loading={signingOut}
      onClick={() => void signOut()}
      leftSection={<IconLogout size={16} aria-hidden />}
    >
      Sign out
    </Button>
  );
}
