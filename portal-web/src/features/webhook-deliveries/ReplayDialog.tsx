import { useMutation, useQuery } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { ConsequenceDialog } from '../../ui/forms/ConsequenceDialog.tsx';
import { counted } from '../../ui/text/counted.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import type { Endpoint } from '../webhooks/webhookQueries.ts';
import { replayCountQuery, replayDeliveriesMutation, type ReplayFilter } from './replayQueries.ts';

type ReplayDialogProps = {
  endpoint: Pick<Endpoint, 'id' | 'url' | 'environment'>;
  filter: ReplayFilter;
  onClose: () => void;
  /** Called with what has been done, in words. */
  onReplayed: (words: string) => void;
};

/** Replays many deliveries: it shows how many the filter finds, and takes the order for exactly those. */
export function ReplayDialog({ endpoint, filter, onClose, onReplayed }: ReplayDialogProps) {
  const endpointId = endpoint.id;
  const [{ data, error, fetching }, read] = useQuery({
    query: replayCountQuery,
    variables: { endpointId, filter },
    requestPolicy: 'network-only',
  });
  const [, replayDeliveries] = useMutation(replayDeliveriesMutation);
  const confirmed = useFreshPasskey();
  const found = error ? undefined : data?.replayCount;
  const possible = found !== undefined && !fetching && found.count > 0 && !found.tooMany;

  async function replay() {
    if (!found) return null;
    const { count: expectedCount, selectionDigest, until } = found;
    const { error: refused } = await confirmed(() =>
      replayDeliveries({ input: { endpointId, filter, expectedCount, selectionDigest, until } }),
    );
    if (refused) {
      read({ requestPolicy: 'network-only' });
      return refused.message;
    }
    onReplayed(`${counted(expectedCount, 'delivery')} ordered again. They appear here as they are sent.`);
    return null;
  }

  return (
    <ConsequenceDialog
      title="Replay these deliveries?"
      object={
        <>
          <EnvironmentTag environment={endpoint.environment} /> <code>{endpoint.url}</code>
        </>
      }
      count={fetching || !found ? 'Counting…' : countWords(found)}
      changes={['Each event is sent again, and tried for 24 hours.']}
      unchanged={[
        'The event IDs stay, so a receiver that remembers what it has stored takes none twice.',
        'What was revoked since is not sent: every attempt is checked as ever.',
      ]}
      verb={possible ? `Replay ${counted(found.count, 'delivery')}` : 'Replay'}
      waiting={!possible}
      onConfirm={replay}
      onClose={onClose}
    >
      {error && <ErrorMessage message={describeError(error).message} />}
    </ConsequenceDialog>
  );
}

function countWords({ count, tooMany }: { count: number; tooMany: boolean }): string {
  if (tooMany) return `More than ${counted(count - 1, 'delivery')}, which is too many at once. Narrow the filter, for example by time.`;
  return count === 0 ? 'Nothing that could be replayed.' : `${counted(count, 'delivery')} will be sent again.`;
}
