import { Text } from '@mantine/core';
import { Timeline } from '../../ui/time/Timeline.tsx';
import { durationWords } from '../../ui/time/timeWords.ts';
import classes from './AttemptTimeline.module.css';
import type { Attempt } from './deliveryQueries.ts';

/** A delivery’s attempts, the last one first: what each came to, how long it took, and what the receiver answered. */
export function AttemptTimeline({ attempts }: { attempts: readonly Attempt[] }) {
  return (
    <Timeline
      label="Attempts"
      entries={attempts
        .toSorted((one, other) => other.number - one.number)
        .map((attempt) => ({
          key: attempt.number,
          tone: attempt.cause ? 'bad' : 'good',
          what: `Attempt ${attempt.number}: ${attempt.cause?.title ?? `Status ${attempt.status}`}`,
          at: attempt.startedAt,
          exact: true,
          by: phaseWords(attempt),
          more: <Outcome attempt={attempt} />,
        }))}
    />
  );
}

function Outcome({ attempt: { cause, address, responseText } }: { attempt: Attempt }) {
  return (
    <>
      {cause ? [cause.what, cause.next].filter(Boolean).join(' ') : 'Your receiver accepted the event.'}
      {address && (
        <>
          {' '}
          Sent to <code>{address}</code>.
        </>
      )}
      {responseText && (
        <>
          <Text size="sm" mt="xs">
            What your receiver answered:
          </Text>
          <pre className={classes.response}>{responseText}</pre>
        </>
      )}
    </>
  );
}

/** How long each part of the attempt took. Parts that a kept connection did not need are left out. */
function phaseWords({ dnsMs, connectMs, tlsMs, firstByteMs, totalMs }: Attempt): string {
  const phases = [
    ['DNS', dnsMs],
    ['connecting', connectMs],
    ['TLS', tlsMs],
    ['first byte', firstByteMs],
  ] as const;
  const parts = phases.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${durationWords(ms)}`]));
  return `${durationWords(totalMs)} in all${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
}
