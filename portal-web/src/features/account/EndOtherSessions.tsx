import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { ConsequenceDialog } from '../../ui/forms/ConsequenceDialog.tsx';
import { endOtherSessionsMutation } from './sessionQueries.ts';

/** Signs out every browser except the reader's own, in case somebody else has access. */
export function EndOtherSessions({ onEnded }: { onEnded: () => void }) {
  const [, endOthers] = useMutation(endOtherSessionsMutation);
  const [asking, setAsking] = useState(false);

  async function end() {
    const { error } = await endOthers({});
    if (error) return describeError(error).message;
    onEnded();
    return null;
  }

  return (
    <div>
      <Button variant="default" onClick={() => setAsking(true)}>
        End all other sessions
      </Button>
      {asking && (
        <ConsequenceDialog
          title="End all other sessions?"
          object="Every browser that is signed in to your account, except this one."
          changes={['They are signed out with their next request.', 'Signing in there again requires one of your passkeys.']}
          unchanged={[
            'This browser stays signed in.',
            'Passkeys stay. If somebody else had access, also remove any passkey that you do not recognise.',
            'Integrations keep their machine access.',
          ]}
          verb="End all others"
          tone="danger"
          onConfirm={end}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
