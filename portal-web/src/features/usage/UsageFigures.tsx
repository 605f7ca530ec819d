import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Loaded } from '../../ui/states/Loaded.tsx';
import classes from './UsageTables.module.css';
import { SyncFacts } from './SyncFacts.tsx';
import { usageQuery } from './usageQueries.ts';
import { HourTable, OperationTable } from './UsageTables.tsx';

/** A client’s figures by operation and by hour, folded until somebody wants them. */
export function UsageFigures({ clientId }: { clientId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={classes.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Figures by operation and by hour</summary>
      {open && <Figures clientId={clientId} />}
    </details>
  );
}

function Figures({ clientId }: { clientId: string }) {
  const [period, setPeriod] = useState<'day' | 'week'>('day');
  const [result, read] = useQuery({ query: usageQuery, variables: { clientId, period }, requestPolicy: 'cache-and-network' });
  return (
    <Stack gap="md" mt="sm">
      <SegmentedControl
        aria-label="Period"
        size="xs"
        w="fit-content"
        data={[
          { value: 'day', label: '24 hours' },
          { value: 'week', label: '7 days' },
        ]}
        value={period}
        onChange={(value) => setPeriod(value === 'week' ? 'week' : 'day')}
      />
      <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ usage }) => (
          <>
            <SyncFacts usage={usage} />
            {usage.counts.length > 0 && (
              <>
                <OperationTable counts={usage.counts} />
                <HourTable counts={usage.counts} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Stack>
  );
}
