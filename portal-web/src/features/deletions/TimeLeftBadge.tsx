import { capital } from '../../ui/text/firstLetter.ts';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import type { StatusTone } from '../../ui/values/statusTone.ts';
import { useNow } from '../../ui/time/useNow.ts';
import type { Revocation } from './revocationsQuery.ts';
import { timeLeft, type TimeLeft } from './timeLeft.ts';

const tones = { calm: 'neutral', soon: 'waiting', overdue: 'bad' } as const satisfies Record<TimeLeft['urgency'], StatusTone>;

/** The state of a deletion. While it is outstanding, the time left counts down. */
export function TimeLeftBadge({ revocation }: { revocation: Revocation }) {
  const now = useNow();
  if (revocation.acknowledgedAt) {
    const word = revocation.recordedByHand ? 'Recorded' : 'Acknowledged';
    return revocation.acknowledgedLate ? (
      <StatusBadge tone="waiting">{`${word} late`}</StatusBadge>
    ) : (
      <StatusBadge tone="good">{word}</StatusBadge>
    );
  }
  if (revocation.fixture) return <StatusBadge tone="neutral">Test data</StatusBadge>;
  const { words, urgency } = timeLeft(new Date(revocation.deletionDeadlineAt), now);
  return <StatusBadge tone={tones[urgency]}>{urgency === 'soon' ? `Due soon: ${words}` : capital(words)}</StatusBadge>;
}
