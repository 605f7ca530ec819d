import { Text } from '@mantine/core';
import { Time } from '../../ui/time/Time.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import classes from './EvidenceList.module.css';
import type { Evidence, Sighting } from './evidenceQuery.ts';

/** What the service has observed the sandbox client do: for each kind of evidence how often, first and last, and what speaks against it. */
export function EvidenceList({ evidence }: { evidence: readonly Evidence[] }) {
  return (
    <ul className={classes.list} aria-label="Observed in the sandbox">
      {evidence.map((item) => (
        <li key={item.kind} className={classes.item}>
          <div>
            <Text fw={650} component="h3" size="md">
              {item.title}
            </Text>
            <Text size="sm" c="dimmed">
              {item.explanation}
            </Text>
          </div>
          <div className={classes.seen}>
            <EvidenceBadge item={item} />
            {item.seen && (
              <Text size="sm" mt={4}>
                <Times sighting={item.seen} />
              </Text>
            )}
            {item.companion?.seen && (
              <Text size="sm" mt={4}>
                {item.companion.title}: <Times sighting={item.companion.seen} />
              </Text>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function EvidenceBadge({ item: { seen, companion } }: { item: Evidence }) {
  const against = companion?.against === true && companion.seen !== null;
  if (seen)
    return against ? <StatusBadge tone="waiting">Not always observed</StatusBadge> : <StatusBadge tone="good">Observed</StatusBadge>;
  return against ? (
    <StatusBadge tone="bad">Only the opposite observed</StatusBadge>
  ) : (
    <StatusBadge tone="neutral">Not observed yet</StatusBadge>
  );
}

function Times({ sighting: { count, firstAt, lastAt } }: { sighting: Sighting }) {
  if (count === 1) {
    return (
      <>
        once, <Time value={lastAt} />
      </>
    );
  }
  return (
    <>
      {count.toLocaleString('en')} times, first <Time value={firstAt} />, last <Time value={lastAt} />
    </>
  );
}
