import { useState } from 'react';
import { useMutation } from 'urql';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { replayDeliveryMutation } from './replayQueries.ts';

/** Replays one delivery. `replay` returns the identifier of the new one, or null if it was refused; then `problem` says why. */
export function useReplay() {
  const [, replayDelivery] = useMutation(replayDeliveryMutation);
  const confirmed = useFreshPasskey();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function replay(deliveryId: string): Promise<string | null> {
    setBusy(true);
    setProblem(null);
    const { data, error } = await confirmed(() => replayDelivery({ input: { deliveryId } }));
    setBusy(false);
    setProblem(error?.message ?? null);
    return data?.replayDelivery.id ?? null;
  }

  return { replay, busy, problem };
}
