import { useMutation, useQuery } from 'urql';
import { counted } from '../../ui/text/counted.ts';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import type { Endpoint } from '../webhooks/webhookQueries.ts';
import { replayCountQuery, replayDeliveriesMutation, type ReplayFilter } from './replayQueries.ts';
import { SelectionDialog } from './SelectionDialog.tsx';

type ReplayDialogProps = {
  endpoint: Pick<Endpoint, 'id' | 'url' | 'environment'>;
  filter: ReplayFilter;
  onClose: () => void;
  /** Called with what has been done, in words. */
  onReplayed: (words: string) => void;
};

const words = {
  title: 'Replay these deliveries?',
  none: 'Nothing that could be replayed.',
  will: 'will be sent again',
  verb: (deliveries: string | null) => (deliveries === null ? 'Replay' : `Replay ${deliveries}`),
  changes: ['Each event is sent again, and tried for 24 hours.'],
  unchanged: [
    'The event IDs stay, so a receiver that remembers what it has stored takes none twice.',
    'What was revoked since is not sent: every attempt is checked as ever.',
  ],
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

  async function replay({ count: expectedCount, selectionDigest, until }: NonNullable<typeof data>['replayCount']) {
    const { error: refused } = await confirmed(() =>
      replayDeliveries({ input: { endpointId, filter, expectedCount, selectionDigest, until } }),
    );
    if (refused) return refused.message;
    onReplayed(`${counted(expectedCount, 'delivery')} ordered again. They appear here as they are sent.`);
    return null;
  }

  return (
    <SelectionDialog
      {...{ endpoint, words, onClose }}
      counting={{ found: data?.replayCount, fetching, error }}
      recount={() => read({ requestPolicy: 'network-only' })}
      act={replay}
    />
  );
}
