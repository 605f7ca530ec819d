import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { createPasskey } from './ceremonies.ts';

const beginPasskeyRegistrationMutation = graphql(`
  mutation BeginPasskeyRegistration {
    beginPasskeyRegistration
  }
`);

const finishPasskeyRegistrationMutation = graphql(`
  mutation FinishPasskeyRegistration($input: FinishPasskeyRegistrationInput!) {
    finishPasskeyRegistration(input: $input) {
      recoveryCodes
      viewer {
        email
      }
    }
  }
`);

/** Making the account's first passkey. `enrol` answers the recovery codes, or null when `problem` has the words. */
export function useEnrolment() {
  const [, begin] = useMutation(beginPasskeyRegistrationMutation);
  const [, finish] = useMutation(finishPasskeyRegistrationMutation);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function attempt(name: string): Promise<readonly string[] | string> {
    const begun = await begin({});
    if (!begun.data) return describeError(begun.error).message;
    const { response, message } = await createPasskey(begun.data.beginPasskeyRegistration);
    if (!response) return message;
    const finished = await finish({ input: { response, name } });
    return finished.data ? finished.data.finishPasskeyRegistration.recoveryCodes : describeError(finished.error).message;
  }

  async function enrol(name: string): Promise<readonly string[] | null> {
    setBusy(true);
    setProblem(null);
    const outcome = await attempt(name);
    setBusy(false);
    if (typeof outcome !== 'string') return outcome;
    setProblem(outcome);
    return null;
  }

  return { enrol, busy, problem };
}
