import { useEffect, useRef } from 'react';
import type { OperationContext } from 'urql';
import { background } from '../../../graphql/client.ts';
import { type Sandbox, sandboxContext } from './sandboxQueries.ts';

const reading = { ...sandboxContext, ...background };

/** Reads a list of what is in the sandbox again, in the background, once the sandbox holds something else than when the list was read. */
export function useFollowing(sandbox: Sandbox, read: (context: Partial<OperationContext>) => void): void {
  const { orders, vehicles, connections, outstandingRevocations } = sandbox;
  const holds = [orders, vehicles, connections, outstandingRevocations].join();
  const known = useRef(holds);
  useEffect(() => {
    if (known.current === holds) return;
    known.current = holds;
    read(reading);
  }, [holds, read]);
}
