import { useNavigate } from 'react-router';
import { useMutation } from 'urql';
import { graphql } from '../../graphql/graphql.ts';
import { paths } from '../../paths.ts';
import { givenUp } from '../../ui/states/useLeaveWarning.ts';
import { hasTabDrafts } from '../drafts/tabDrafts.ts';
import { useSession } from './SessionContext.ts';

const signOutMutation = graphql(`
  mutation SignOut {
    signOut
  }
`);

const questions = new EventTarget();

/** Calls `listener` whenever a reader wants to sign out and would lose what they have typed. Returns a function that stops this. */
export function onSignOutAsked(listener: () => void): () => void {
  questions.addEventListener('asked', listener);
  return () => questions.removeEventListener('asked', listener);
}

type SignOut = {
  readonly signingOut: boolean;
  /** Signs out, and asks before it discards what was typed. */
  readonly signOut: () => Promise<void>;
  /** Signs out whatever is lost. */
  readonly signOutAtOnce: () => Promise<void>;
};

/** Ends the session and goes to the landing page. */
export function useSignOut(): SignOut {
  const [{ fetching }, end] = useMutation(signOutMutation);
  const { viewer, leaveAfter } = useSession();
  const navigate = useNavigate();

  async function signOutAtOnce() {
    const { error } = await end({});
    if (!error) await leaveAfter(navigate(paths.landing, { state: givenUp }));
  }

  async function signOut() {
    if (viewer?.operatorId && hasTabDrafts(viewer.operatorId)) questions.dispatchEvent(new Event('asked'));
    else await signOutAtOnce();
  }

  return { signingOut: fetching, signOut, signOutAtOnce };
}
