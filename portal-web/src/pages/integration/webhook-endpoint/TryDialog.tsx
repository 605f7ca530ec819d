import { useMutation, useQuery } from 'urql';
import { counted } from '../../../ui/text/counted.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import type { Endpoint } from '../../../features/webhooks/webhookQueries.ts';
import { attemptDeliveriesMutation, waitingCountQuery, type WaitingFilter } from '../../../features/webhook-deliveries/attemptQueries.ts';
import { SelectionDialog } from './SelectionDialog.tsx';

type TryDialogProps = {
  endpoint: Pick<Endpoint, 'id' | 'url' | 'environment'>;
  filter: WaitingFilter;
  onClose: () => void;
  /** Called with what has been done, in words. */
  onTried: (words: string) => void;
};

const words = {
  title: 'Try what waits now?',
  none: 'Nothing waits for a later attempt.',
  will: 'will be tried now',
  verb: (deliveries: string | null) => (deliveries === null ? 'Try now' : `Try ${deliveries} now`),
  changes: ['Each delivery is attempted now instead of at its next time, also where your receiver asked to wait.'],
  unchanged: [
    'At most 8 attempts are under way at a time, and 1 while the last 5 have failed.',
    'What fails again waits longer, as after every attempt, and no longer than its window.',
  ],
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

  async function tryNow({ count: expectedCount, until }: NonNullable<typeof data>['waitingCount']) {
    const { data: done, error: refused } = await confirmed(() =>
      attemptDeliveries({ input: { endpointId, filter, expectedCount, until } }),
    );
    if (refused) return refused.message;
    onTried(`${counted(done?.attemptDeliveries ?? 0, 'delivery')} due now. They go out as fast as your receiver takes them.`);
    return null;
  }

  return (
    <SelectionDialog
      {...{ endpoint, words, onClose }}
      counting={{ found: data?.waitingCount, fetching, error }}
      recount={() => read({ requestPolicy: 'network-only' })}
      act={tryNow}
    />
  );
}
