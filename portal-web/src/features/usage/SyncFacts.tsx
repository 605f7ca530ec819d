import { Text } from '@mantine/core';
import { percentWords } from '../../ui/text/percentWords.ts';
import { Facts } from '../../ui/values/Facts.tsx';
import { Time } from '../../ui/time/Time.tsx';
import type { Usage } from './usageQueries.ts';

const lowShare = 0.2;
const enoughSyncs = 10;

/** When the client last called, and how many of its syncs found nothing new. */
export function SyncFacts({ usage }: { usage: Usage }) {
  const { lastRequestAt, lastSyncAt } = usage;
  return (
    <Facts
      facts={[
        ['Last request', lastRequestAt ? <Time key="request" value={lastRequestAt} /> : 'Never'],
        ['Last sync', lastSyncAt ? <Time key="sync" value={lastSyncAt} /> : 'Never'],
        ['Syncs answered with 304', <UnchangedShare key="share" usage={usage} />],
      ]}
    />
  );
}

function UnchangedShare({ usage: { syncs, unchangedSyncs } }: { usage: Usage }) {
  if (syncs === 0) return 'No syncs in this period';
  const low = syncs >= enoughSyncs && unchangedSyncs / syncs < lowShare;
  return (
    <>
      {percentWords(unchangedSyncs / syncs)} ({unchangedSyncs} of {syncs})
      {low && (
        <Text size="sm" c="dimmed" mt={4} maw={560}>
          That is low. Send the <code>ETag</code> of the last response as <code>If-None-Match</code> with the same query: if nothing has
          changed, you get 304 without a body. If your orders change at every poll, a low share is expected.
        </Text>
      )}
    </>
  );
}
