import { Anchor, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { integrationPaths, paths } from '../../paths.ts';
import { Time } from '../../ui/time/Time.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import classes from './SamplePanel.module.css';
import type { Choice } from './readerValues.ts';
import type { Reader } from './useReader.ts';

/**
 * The last call of the operation in the log of the chosen client, with a link to it. It takes its place before the facts are there, so that
 * nothing moves when they come. If they could not be read, it says so.
 */
export function LastCall({ choice: { slug, client }, reader: { facts, unread, readAgain } }: { choice: Choice; reader: Reader }) {
  const call = facts?.requests.edges[0]?.node;
  return (
    <section aria-label="Your last call" className={classes.last}>
      <Text fw={600} size="sm">
        Your last call of this operation
      </Text>
      {unread === 'lastCall' ? (
        <ErrorMessage message="It could not be read." onRetry={readAgain} />
      ) : call ? (
        <>
          <Group gap="xs">
            <StatusBadge
              tone={call.status < 400 ? 'good' : call.status < 500 ? 'waiting' : 'bad'}
            >{`${call.status} ${call.title}`}</StatusBadge>
            <Text size="xs" c="dimmed">
              <Time value={call.occurredAt} />, {Math.round(call.durationMs).toLocaleString('en')} ms
            </Text>
          </Group>
          <Group gap="md">
            <Anchor component={Link} to={integrationPaths(slug).requests({ environment: client.environment, request: call.id })} size="sm">
              Open in the request log
            </Anchor>
            {call.problem && (
              <Anchor href={paths.problem(call.problem)} size="sm">
                What {call.problem} means
              </Anchor>
            )}
          </Group>
        </>
      ) : (
        facts && (
          <Text size="sm" c="dimmed">
            None in the last 7 days, which the request log keeps.
          </Text>
        )
      )}
    </section>
  );
}
