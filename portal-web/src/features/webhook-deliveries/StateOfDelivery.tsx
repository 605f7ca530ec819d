import { Text } from '@mantine/core';
import { deliveryFacts } from '../../../../server/domain/outbox/deliveryFacts.ts';
import { Time } from '../../ui/time/Time.tsx';
import { CountDown } from '../../ui/time/CountDown.tsx';
import { useNow } from '../../ui/time/useNow.ts';
import type { Delivery } from './deliveryQueries.ts';
import { reasonWords } from './deliveryWords.ts';

const hour = 3_600_000;

/** Why a delivery is where it is, and what comes next: when the next attempt is, what releases it, or what to do. */
export function StateOfDelivery({ delivery }: { delivery: Delivery }) {
  const { state, reason, event, attemptsCount, nextAttemptAt, waitAsked, windowEndsAt, finishedAt } = delivery;
  const now = useNow();
  const { waitsFor, arrived } = deliveryFacts[state];
  if (waitsFor === 'attempt') {
    const soon = nextAttemptAt !== null && new Date(nextAttemptAt).getTime() - now.getTime() < hour;
    return (
      <Text>
        {attemptsCount === 0 ? 'It has not been tried yet. ' : 'The last attempt failed and will be retried. '}
        {nextAttemptAt && (
          <>
            The next attempt is{' '}
            {soon ? (
              <>
                in <CountDown until={nextAttemptAt} />
              </>
            ) : (
              <Time value={nextAttemptAt} form="coming" />
            )}
            .{' '}
          </>
        )}
        {waitAsked && 'Your receiver asked for this wait with Retry-After. '}
        Attempts end on <Time value={windowEndsAt} form="moment" />; after that, it becomes a dead letter.
      </Text>
    );
  }
  const words = reasonWords(state, reason, event.type);
  return (
    <Text>
      {arrived ? 'Accepted by your receiver' : words}
      {arrived && finishedAt && (
        <>
          {' '}
          <Time value={finishedAt} />.
        </>
      )}
      {waitsFor === 'release' && (
        <>
          {' '}
          It is kept until <Time value={windowEndsAt} form="moment" />.
        </>
      )}
    </Text>
  );
}
