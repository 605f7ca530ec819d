import { useMutation, useQuery } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { ConsequenceDialog } from '../../ui/forms/ConsequenceDialog.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { counted } from '../../ui/text/counted.ts';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import type { Endpoint } from '../webhooks/webhookQueries.ts';
import { attemptDeliveriesMutation, waitingCountQuery, type WaitingFilter } from './attemptQueries.ts';

type TryDialogProps = {
  endpoint: Pick<Endpoint, 'id' | 'url' | 'environment'>;
  filter: WaitingFilter;
  onClose: () => void;
  /** Called with what has been done, in words. */
  onTried: (words: string) => void;
};

/** Has many waiting deliveries attempted at once: it shows how many the filter finds, and tries no more than these. */
export function TryDialog({ endpoint, filter, onClose, onTried }: TryDialogProps) {
  const endpointId = endpoint.id;
  const [{ data, error, fetching }, read] = useQuery({
    query: waitingCountQuery,
    variables: { endpointId, filter },
    requestPolicy: 'network-only',
  });
  const [, attemptDeliveries] = useMutation(attemptDeliveriesMutation);
  const confirmed = useFreshPasskey();
  const found = error ? undefined : data?.waitingCount;
  const possible = found !== undefined && !fetching && found.count > 0 && !found.tooMany;

  async function tryNow() {
    if (!found) return null;
    const { count: expectedCount, until } = found;
    const { data: done, error: refused } = await confirmed(() =>
      attemptDeliveries({ input: { endpointId, filter, expectedCount, until } }),
    );
    if (refused) {
      read({ requestPolicy: 'network-only' });
      return refused.message;
    }
    onTried(`${counted(done?.attemptDeliveries ?? 0, 'delivery')} due now. They go out as fast as your receiver takes them.`);
    return null;
  }

  return (
    <ConsequenceDialog
      title="Try what waits now?"
      object={
        <>
          <EnvironmentTag environment={endpoint.environment} /> <code>{endpoint.url}</code>
        </>
      }
      count={fetching || !found ? 'Counting…' : countWords(found)}
      changes={['Each delivery is attempted now instead of at its next time, also where your receiver asked to wait.']}
      unchanged={[
        'At most 8 attempts are under way at a time, and 1 while the last 5 have failed.',
        'What fails again waits longer, as after every attempt, and no longer than its window.',
      ]}
      verb={possible ? `Try ${counted(found.count, 'delivery')} now` : 'Try now'}
      waiting={!possible}
      onConfirm={tryNow}
      onClose={onClose}
    >
      {error && <ErrorMessage message={describeError(error).message} />}
    </ConsequenceDialog>
  );
}

function countWords({ count, tooMany }: { count: number; tooMany: boolean }): string {
  if (tooMany) return `More than ${counted(count, 'delivery')}, which is too many at once. Narrow the filter, for example by time.`;
  return count === 0 ? 'Nothing waits for a later attempt.' : `${counted(count, 'delivery')} will be tried now.`;
}
