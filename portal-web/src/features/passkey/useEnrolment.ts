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

type Failure = { message: string; outOfTime: boolean; finished: boolean };

/**
 * Making a passkey in the 20 minutes after a mailed link or a recovery code. `enrol` answers the recovery codes, or null when `problem` has
 * the words; `outOfTime` says that only a new link or code helps, `finished` that there is an account to sign in to.
 */
export function useEnrolment() {
  const [, begin] = useMutation(beginPasskeyRegistrationMutation);
  const [, finish] = useMutation(finishPasskeyRegistrationMutation);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  async function attempt(name: string): Promise<readonly string[] | Failure> {
    const begun = await begin({});
    if (!begun.data) return failureOf(begun.error);
    const { response, message } = await createPasskey(begun.data.beginPasskeyRegistration);
    if (!response) return { message, outOfTime: false, finished: false };
    const finished = await finish({ input: { response, name } });
    return finished.data ? finished.data.finishPasskeyRegistration.recoveryCodes : failureOf(finished.error);
  }

  async function enrol(name: string): Promise<readonly string[] | null> {
    setBusy(true);
    setFailure(null);
    const outcome = await attempt(name);
    setBusy(false);
    if (!('message' in outcome)) return outcome;
    setFailure(outcome);
    return null;
  }

  return { enrol, busy, problem: failure?.message ?? null, outOfTime: failure?.outOfTime ?? false, finished: failure?.finished ?? false };
}

function failureOf(error: unknown): Failure {
  const { code, message } = describeError(error);
  return { message, outOfTime: code === 'UNAUTHENTICATED', finished: code === 'CONFLICT' };
}
