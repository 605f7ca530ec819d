import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { counted } from '../../ui/text/counted.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { replayCountQuery, replayDeliveriesMutation, type ReplayFilter } from './replayQueries.ts';

type ReplayDialogProps = {
  endpoint: { readonly id: string; readonly url: string };
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
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const found = error ? undefined : data?.replayCount;
  const possible = found !== undefined && !fetching && found.count > 0 && !found.tooMany;

  async function replay() {
    if (!found) return;
    const { count: expectedCount, selectionDigest, until } = found;
    setBusy(true);
    setProblem(null);
    const { error: refused } = await confirmed(() =>
      replayDeliveries({ input: { endpointId, filter, expectedCount, selectionDigest, until } }),
    );
    setBusy(false);
    if (refused) {
      setProblem(refused.message);
      return read({ requestPolicy: 'network-only' });
    }
    onReplayed(`${counted(expectedCount, 'delivery')} ordered again. They appear here as they are sent.`);
    onClose();
  }

  return (
    <Modal opened onClose={onClose} title="Replay these deliveries?" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        {(problem ?? error) && <ErrorMessage message={problem ?? describeError(error).message} />}
        <Text style={{ overflowWrap: 'anywhere' }}>
          <code>{endpoint.url}</code>
        </Text>
        <Text role="status" fw={600}>
          {fetching || !found ? 'Counting…' : countWords(found)}
        </Text>
        <Text>
          Each event is sent again under the same event ID, so a receiver that remembers what it has stored takes none twice. The replays
          are tried for 24 hours, and checked before each attempt as ever: what was revoked since is not sent.
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={busy} disabled={!possible} onClick={() => void replay()}>
            {possible ? `Replay ${counted(found.count, 'delivery')}` : 'Replay'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function countWords({ count, tooMany }: { count: number; tooMany: boolean }): string {
  if (tooMany) return `More than ${counted(count - 1, 'delivery')}, which is too many at once. Narrow the filter, for example by time.`;
  return count === 0 ? 'Nothing that could be replayed.' : `${counted(count, 'delivery')} will be sent again.`;
}
