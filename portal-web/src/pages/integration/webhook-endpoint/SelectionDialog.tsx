import { type CombinedError, useMutation, useQuery } from 'urql';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { attemptDeliveriesMutation, waitingCountQuery, type WaitingFilter } from '../../../features/webhook-deliveries/attemptQueries.ts';
import type { Endpoint } from '../../../features/webhooks/webhookQueries.ts';
import { describeError } from '../../../graphql/describeError.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { counted } from '../../../ui/text/counted.ts';
import { EnvironmentTag } from '../../../ui/values/EnvironmentTag.tsx';

/** What a filter finds at one moment. */
type Found = { readonly count: number; readonly tooMany: boolean };

type SelectionDialogProps<Counted extends Found> = {
  endpoint: Pick<Endpoint, 'url' | 'environment'>;
  /** The answer of the query that counts. */
  counting: { readonly found: Counted | undefined; readonly fetching: boolean; readonly error: CombinedError | undefined };
  recount: () => void;
  words: {
    readonly title: string;
    /** What is said if the filter finds nothing. */
    readonly none: string;
    /** What will happen to so many deliveries, such as “will be sent again”. */
    readonly will: string;
    /** The button, with or without how many deliveries. */
    readonly verb: (deliveries: string | null) => string;
    readonly changes: readonly string[];
    readonly unchanged: readonly string[];
  };
  /** Acts on what was found. Resolves to why that was refused, or null. */
  act: (found: Counted) => Promise<string | null>;
  onClose: () => void;
};

/** Asks before something is done with many deliveries: it shows how many the filter finds, and counts again after a refusal. */
export function SelectionDialog<Counted extends Found>(props: SelectionDialogProps<Counted>) {
  const { endpoint, counting, recount, words, act, onClose } = props;
  const { fetching, error } = counting;
  const found = error ? undefined : counting.found;
  const possible = found !== undefined && !fetching && found.count > 0 && !found.tooMany;

  async function confirm() {
    if (!found) return null;
    const refusal = await act(found);
    if (refusal !== null) recount();
    return refusal;
  }

  return (
    <ConsequenceDialog
      title={words.title}
      object={
        <>
          <EnvironmentTag environment={endpoint.environment} /> <code>{endpoint.url}</code>
        </>
      }
      count={fetching || !found ? 'Counting…' : countWords(found, words)}
      changes={words.changes}
      unchanged={words.unchanged}
      verb={words.verb(possible ? counted(found.count, 'delivery') : null)}
      waiting={!possible}
      onConfirm={confirm}
      onClose={onClose}
    >
      {error && <ErrorMessage message={describeError(error).message} />}
    </ConsequenceDialog>
  );
}

function countWords({ count, tooMany }: Found, { none, will }: { readonly none: string; readonly will: string }): string {
  if (tooMany) return `More than ${counted(count, 'delivery')}, which is too many at once. Narrow the filter, for example by time.`;
  return count === 0 ? none : `${counted(count, 'delivery')} ${will}.`;
}

type TryDialogProps = {
  endpoint: Pick<Endpoint, 'id' | 'url' | 'environment'>;
  filter: WaitingFilter;
  onClose: () => void;
  /** Called with what has been done, in words. */
  onTried: (words: string) => void;
};

const words = {
  title: 'Try waiting deliveries now?',
  none: 'No delivery is waiting for a later attempt.',
  will: 'will be tried now',
  verb: (deliveries: string | null) => (deliveries === null ? 'Try now' : `Try ${deliveries} now`),
  changes: ['Each delivery is attempted now instead of at its scheduled time, even if your receiver asked to wait.'],
  unchanged: [
    'At most 8 attempts are under way at a time, and 1 while the last 5 have failed.',
    'Deliveries that fail again wait longer, as after every attempt, but never beyond their window.',
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
    onTried(`${counted(done?.attemptDeliveries ?? 0, 'delivery')} due now. They go out as fast as your receiver accepts them.`);
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
