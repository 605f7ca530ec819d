import { Anchor, Stack, Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Client } from '../../../features/integration/integrationQuery.ts';
import { keyNameOf } from '../../../features/integration/keyNameOf.ts';
import { useIntegrationPaths } from '../../../features/integration/ownerView.ts';
import type { Service } from '../../../features/integration/useIntegration.ts';
import { Fold } from '../../../ui/layout/Fold.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { CopyableCode } from '../../../ui/values/CopyableCode.tsx';
import type { Overview } from './overviewQuery.ts';
import { practice } from './practice.ts';
import classes from './Practice.module.css';

type Evidence = Overview['evidence'];

/** What is still to be tried out before a submission, which can be made without it. */
export function isPractising(evidence: Evidence): boolean {
  return evidence.some(({ seen }) => !seen);
}

function Command({ value, title }: { value: string | null; title: string }) {
  return value !== null && <CopyableCode value={value} label={`the command: ${title}`} block />;
}

type PracticeProps = { evidence: Evidence; client: Client; service: Service };

/** What the reviewers look for in the sandbox: the service ticks what it has seen, and the first of the rest is open. */
export function Practice({ evidence, client, service }: PracticeProps) {
  const to = useIntegrationPaths();
  const next = evidence.find(({ seen }) => !seen)?.kind;
  const facts = { ...service, keyName: keyNameOf(client), scopes: client.scopes, requestsPerMinute: service.limits.requestsPerMinute };
  return (
    <section aria-labelledby="practice">
      <div className={classes.head}>
        <Title order={2} id="practice">
          What the reviewers look for
        </Title>
        <Text size="sm" c="dimmed" component="span" role="status">
          {evidence.filter(({ seen }) => seen).length} of {evidence.length} seen
        </Text>
      </div>
      <Text size="sm" maw={640}>
        Try each once in your sandbox. The service ticks what it has seen within a few seconds of your call.
      </Text>
      <ul className={classes.list} aria-label="What the reviewers look for">
        {evidence.map(({ kind, title, explanation, seen }) => (
          <li key={kind} data-seen={seen !== null || undefined}>
            {seen ? (
              <IconCircleCheckFilled size={20} role="img" aria-label="Seen" />
            ) : (
              <IconCircle size={20} role="img" aria-label="Not seen yet" />
            )}
            {seen ? (
              <Text size="sm" component="span">
                {title}{' '}
                <Text span c="dimmed">
                  <Time value={seen.firstAt} />
                </Text>
              </Text>
            ) : (
              <Fold summary={title} open={kind === next}>
                <Stack gap="xs">
                  <Text size="sm">{explanation}</Text>
                  <Command value={practice[kind].command(facts)} title={title} />
                  <Anchor component={Link} to={practice[kind].link.to(to)} size="sm" w="fit-content">
                    {practice[kind].link.words}
                  </Anchor>
                </Stack>
              </Fold>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
