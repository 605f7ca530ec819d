import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { provePasskey } from './ceremonies.ts';

const beginSignInMutation = graphql(`
  mutation BeginSignIn {
    beginSignIn
  }
`);

const finishSignInMutation = graphql(`
  mutation FinishSignIn($input: FinishSignInInput!) {
    finishSignIn(input: $input) {
      email
    }
  }
`);

/** Signs in with a discoverable passkey. `signIn` returns whether it succeeded; if not, `problem` is the message for the reader. */
export function useSignIn() {
  const [, beginSignIn] = useMutation(beginSignInMutation);
  const [, finishSignIn] = useMutation(finishSignInMutation);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function attempt(): Promise<string | null> {
    const begun = await beginSignIn({});
    if (!begun.data) return describeError(begun.error).message;
    const { response, message } = await provePasskey(begun.data.beginSignIn);
    if (!response) return message;
    const finished = await finishSignIn({ input: { response } });
    return finished.data ? null : describeError(finished.error).message;
  }

  async function signIn(): Promise<boolean> {
    setBusy(true);
    setProblem(null);
    const failure = await attempt();
    setProblem(failure);
    setBusy(false);
    return failure === null;
  }

  return { signIn, busy, problem };
}
