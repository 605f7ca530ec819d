import { List, Text } from '@mantine/core';
import { counted } from '../../ui/text/counted.ts';
import { Time } from '../../ui/time/Time.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { failureWords, statusWords } from '../webhooks/failureWords.ts';
import type { FailureGroup } from './deliveryQueries.ts';
import { reasonWords } from './deliveryWords.ts';

/** An endpoint’s dead letters by what went wrong, each with what to mend. Shows nothing if there are none. */
export function FailureGroups({ groups }: { groups: readonly FailureGroup[] }) {
  if (groups.length === 0) return null;
  return (
    <List listStyleType="none" spacing="xs" aria-label="Why deliveries failed for good">
      {groups.map((group) => (
        <List.Item key={`${group.reason} ${group.status} ${group.error}`}>
          <StatusBadge tone="bad">{titleOf(group)}</StatusBadge>{' '}
          <Text span size="sm">
            <strong>{counted(group.count, 'dead letter')}</strong>,{' '}
            {group.count > 1 && (
              <>
                the first <Time value={group.firstAt} />, the last{' '}
              </>
            )}
            <Time value={group.lastAt} />. {cureOf(group)}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}

function titleOf({ status, error }: FailureGroup): string {
  if (status !== null) return `Status ${status}`;
  return error === null ? 'Not attempted' : 'No answer';
}

function cureOf({ reason, status, error }: FailureGroup): string {
  if (error !== null) {
    const { what, next } = failureWords(error);
    return `${what} ${next}`;
  }
  return status === null ? (reasonWords('dead', reason) ?? '') : statusWords(status);
}
