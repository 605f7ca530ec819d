import { Button } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useMutation } from 'urql';
import { graphql } from '../../graphql/graphql.ts';
import { paths } from '../../paths.ts';
import { useSession } from './SessionContext.ts';

const signOutMutation = graphql(`
  mutation SignOut {
    signOut
  }
`);

/** Ends the session and goes to the landing page. */
export function SignOutButton() {
  const [{ fetching }, signOut] = useMutation(signOutMutation);
  const { leaveAfter } = useSession();
  const navigate = useNavigate();

  async function end() {
    const { error } = await signOut({});
    if (error) return;
    await leaveAfter(navigate(paths.landing));
  }

  return (
    <Button variant="default" size="xs" loading={fetching} onClick={() => void end()} leftSection={<IconLogout size={16} aria-hidden />}>
      Sign out
    </Button>
  );
}
