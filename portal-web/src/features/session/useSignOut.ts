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
export function useSignOut(): { readonly signingOut: boolean; readonly signOut: () => Promise<void> } {
  const [{ fetching }, end] = useMutation(signOutMutation);
  const { leaveAfter } = useSession();
  const navigate = useNavigate();

  async function signOut() {
    const { error } = await end({});
    if (!error) await leaveAfter(navigate(paths.landing));
  }

  return { signingOut: fetching, signOut };
}
