import { type Client, makeOperation, type OperationContext, type OperationResult } from '@urql/core';
import { codeOf } from './describeError.ts';

/** What may go away by itself: there is no connection, or the service is not available or has failed. */
const transient = new Set(['NETWORK', 'INTERNAL', 'INTERNAL_SERVER_ERROR', 'TEMPORARILY_UNAVAILABLE']);

const pause = 5_000;

/**
 * Asks once more, until it is answered or its page is left, for what a page could not read: a reader who looks at the error sees it go away by
 * itself. It asks in the background, with `background` as the context; a read that does so already asks again by itself.
 */
export function createRecovery(background: Pick<OperationContext, 'requestPolicy' | 'fetchOptions'>) {
  const waiting = new Set<number>();
  return (client: Client, { operation, error, data }: OperationResult): void => {
    const { kind, key, context } = operation;
    if (kind !== 'query' || !error || data || !transient.has(codeOf(error)) || waiting.has(key)) return;
    if (context.fetchOptions === background.fetchOptions && context['recovers'] !== true) return;
    const ask = () => {
      // A tab in the background waits until it is visible again.
      if (document.visibilityState !== 'visible') return void setTimeout(ask, pause);
      waiting.delete(key);
      client.reexecuteOperation(makeOperation(kind, operation, { ...context, ...background, recovers: true }));
    };
    waiting.add(key);
    setTimeout(ask, pause);
  };
}
