import { useCallback } from 'react';
import { useMutation, type OperationResult } from 'urql';
import { codeOf, describeError, type DescribedError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { provePasskey } from './ceremonies.ts';

const beginPasskeyConfirmationMutation = graphql(`
  mutation BeginPasskeyConfirmation {
    beginPasskeyConfirmation
  }
`);

const finishPasskeyConfirmationMutation = graphql(`
  mutation FinishPasskeyConfirmation($input: FinishPasskeyConfirmationInput!) {
    finishPasskeyConfirmation(input: $input) {
      confirmedUntil
    }
  }
`);

type Outcome<Data> = { data: Data; error?: never } | { data?: never; error: DescribedError };

/**
 * For operations that need a fresh passkey confirmation: performs one, and when the answer is FRESH_PASSKEY_REQUIRED asks
 * for the passkey and performs it once more.
 */
export function useFreshPasskey() {
  const [, begin] = useMutation(beginPasskeyConfirmationMutation);
  const [, finish] = useMutation(finishPasskeyConfirmationMutation);

  return useCallback(
    async <Data>(operation: () => Promise<OperationResult<Data>>): Promise<Outcome<Data>> => {
      const first = await operation();
      if (!first.error || codeOf(first.error) !== 'FRESH_PASSKEY_REQUIRED') return outcomeOf(first);
      const begun = await begin({});
      if (!begun.data) return { error: describeError(begun.error) };
      const { response, message } = await provePasskey(begun.data.beginPasskeyConfirmation);
      if (!response) return { error: { code: 'FRESH_PASSKEY_REQUIRED', message, fields: {} } };
      const finished = await finish({ input: { response } });
      return finished.error ? { error: describeError(finished.error) } : outcomeOf(await operation());
    },
    [begin, finish],
  );
}

function outcomeOf<Data>({ data, error }: OperationResult<Data>): Outcome<Data> {
  return error || !data ? { error: describeError(error) } : { data };
}
