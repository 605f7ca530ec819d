import { Group, Text, Title } from '@mantine/core';
import { absoluteWords, durationWords } from '../../ui/time/timeWords.ts';
import { Time } from '../../ui/time/Time.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import classes from './AttemptTimeline.module.css';
import type { Attempt } from './deliveryQueries.ts';
import { failureWords, statusWords } from '../webhooks/failureWords.ts';

/** A delivery’s attempts, the last one first: what each came to, how long it took, and what the receiver answered. */
export function AttemptTimeline({ attempts }: { attempts: readonly Attempt[] }) {
  return (
    <ol className={classes.timeline} reversed aria-label="Attempts">
      {attempts
        .toSorted((one, other) => other.number - one.number)
        .map((attempt) => (
          <li key={attempt.number} className={classes.attempt} data-good={isGood(attempt) || undefined}>
            <Group gap="xs">
              <Title order={3}>Attempt {attempt.number}</Title>
              <StatusBadge tone={isGood(attempt) ? 'good' : 'bad'}>{outcomeWord(attempt)}</StatusBadge>
              <Text size="sm" c="dimmed">
                <Time value={attempt.startedAt} />, {absoluteWords(new Date(attempt.startedAt))}
              </Text>
            </Group>
            <Meaning attempt={attempt} />
            <Text size="sm" c="dimmed">
              {phaseWords(attempt)}
              {attempt.address && (
                <>
                  {' '}
                  Sent to <code>{attempt.address}</code>.
                </>
              )}
            </Text>
            {attempt.responseText && (
              <>
                <Text size="sm" mt="xs">
                  What your receiver answered:
                </Text>
                <pre className={classes.response}>{attempt.responseText}</pre>
              </>
            )}
          </li>
        ))}
    </ol>
  );
}

function isGood({ status, error }: Attempt): boolean {
  return error === null && status !== null && status >= 200 && status < 300;
}

function outcomeWord({ status, error }: Attempt): string {
  if (error !== null) return 'No answer';
  return status === null ? 'No answer' : `Status ${status}`;
}

function Meaning({ attempt: { status, error } }: { attempt: Attempt }) {
  if (error === null) return <Text size="sm">{status === null ? null : statusWords(status)}</Text>;
  const { what, next } = failureWords(error);
  return (
    <Text size="sm">
      {what} {next}
    </Text>
  );
}

/** How long each part of the attempt took. Parts that a kept connection did not need are left out. */
export function phaseWords({ dnsMs, connectMs, tlsMs, firstByteMs, totalMs }: Attempt): string {
  const phases = [
    ['DNS', dnsMs],
    ['connecting', connectMs],
    ['TLS', tlsMs],
    ['first byte', firstByteMs],
  ] as const;
  const parts = phases.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${durationWords(ms)}`]));
  return `${durationWords(totalMs)} in all${parts.length > 0 ? `: ${parts.join(', ')}` : ''}.`;
}
