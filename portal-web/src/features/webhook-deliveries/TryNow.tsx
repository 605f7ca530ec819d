import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { deliveryFacts } from '../../../../server/domain/outbox/deliveryFacts.ts';
import { webhookEndpointFacts } from '../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { useNow } from '../../ui/time/useNow.ts';
import { useReadOnly } from '../integration/ownerView.ts';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import type { Endpoint } from '../webhooks/webhookQueries.ts';
import { attemptDeliveryMutation } from './attemptQueries.ts';
import type { Delivery } from './deliveryQueries.ts';

type TryNowProps = {
  delivery: Pick<Delivery, 'id' | 'state' | 'attemptsCount' | 'nextAttemptAt'>;
  endpoint: Pick<Endpoint, 'status'>;
  onTried: () => void;
};

/** Has a waiting delivery attempted at once. Shows nothing where that is not possible. */
export function TryNow({ delivery: { id, state, attemptsCount, nextAttemptAt }, endpoint, onTried }: TryNowProps) {
  const [, attemptDelivery] = useMutation(attemptDeliveryMutation);
  const confirmed = useFreshPasskey();
  const readOnly = useReadOnly();
  const now = useNow();
  const [busy, setBusy] = useState(false);
  /** After how many attempts it was asked for last. */
  const [tried, setTried] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const waits = deliveryFacts[state].waitsFor === 'attempt' && nextAttemptAt !== null && new Date(nextAttemptAt) > now;
  if (readOnly || !waits || tried === attemptsCount || webhookEndpointFacts[endpoint.status].receives !== 'yes') return null;

  async function tryNow() {
    setBusy(true);
    setProblem(null);
    const { error } = await confirmed(() => attemptDelivery({ input: { deliveryId: id } }));
    setBusy(false);
    if (error) setProblem(error.message);
    else {
      setTried(attemptsCount);
      onTried();
    }
  }

  return (
    <>
      {problem && <ErrorMessage message={problem} />}
      <Button variant="default" size="xs" w="fit-content" loading={busy} onClick={() => void tryNow()}>
        Try now
      </Button>
    </>
  );
}
