import { Anchor, Stack, Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { Link } from 'react-router';
import { certificateFacts } from '../../../../../server/domain/certificate/certificateFacts.ts';
import { CommandChoice } from '../../../features/integration/CommandChoice.tsx';
import type { Client } from '../../../features/integration/integrationQuery.ts';
import { keyNameOf } from '../../../features/integration/keyNameOf.ts';
import { useIntegrationPaths } from '../../../features/integration/ownerView.ts';
import { type Service, useIntegration } from '../../../features/integration/useIntegration.ts';
import { want } from '../../../features/search/paletteActs.ts';
import { graphql } from '../../../graphql/graphql.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { Fold } from '../../../ui/layout/Fold.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { useNow } from '../../../ui/time/useNow.ts';
import { CopyableCode } from '../../../ui/values/CopyableCode.tsx';
import type { Overview } from './overviewQuery.ts';
import { practice } from './practice.ts';
import classes from './Practice.module.css';

type Evidence = Overview['evidence'];

/** What is still to be tried out before a submission, which can be made without it. */
export function isPractising(evidence: Evidence): boolean {
  return evidence.some(({ seen }) => !seen);
}

type PracticeProps = { evidence: Evidence; client: Client; service: Service };

/** What the reviewers look for in the sandbox: the service ticks what it has seen, and the first of the rest is open. */
export function Practice({ evidence, client, service }: PracticeProps) {
  const next = evidence.find(({ seen }) => !seen);
  const revocationId = useRevocation(evidence.some(({ kind, seen }) => kind === 'tombstone_acknowledged' && !seen));
  const newest = client.certificatesInUse.find(({ status }) => certificateFacts[status].stage === 'working');
  const facts = {
    ...service,
    keyName: keyInUseOf(client),
    scopes: client.scopes,
    requestsPerMinute: service.limits.requestsPerMinute,
    revocationId,
    unusedKeyName: client.lastRequestAt !== null && newest?.lastUsedAt === null ? newest.keyName : null,
  };
  const list = <PracticeList {...{ evidence, facts }} />;
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
      {next === undefined ? (
        <Fold summary="What the service has seen">{list}</Fold>
      ) : (
        <>
          <Text size="sm" maw={640}>
            Try each once in your sandbox. The service ticks what it has seen within a few seconds of your call.
          </Text>
          {list}
        </>
      )}
    </section>
  );
}

type Facts = Parameters<(typeof practice)[keyof typeof practice]['command']>[0];

function PracticeList({ evidence, facts }: { evidence: Evidence; facts: Facts }) {
  const next = evidence.find(({ seen }) => !seen)?.kind;
  return (
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
                <PracticeWay kind={kind} title={title} facts={facts} />
              </Stack>
            </Fold>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The command for one of them, once what it is about exists, and where to go for it. */
function PracticeWay({ kind, title, facts }: { kind: Evidence[number]['kind']; title: string; facts: Facts }) {
  const to = useIntegrationPaths();
  const { note, link, ...way } = practice[kind];
  const command = way.command(facts);
  const { wants } = link;
  return (
    <>
      {note && <Text size="sm">{note}</Text>}
      {typeof command === 'string' && <CopyableCode value={command} label={`the command: ${title}`} block />}
      {command !== null && typeof command !== 'string' && <CommandChoice commands={command} label={`the command: ${title}`} />}
      <Anchor component={Link} to={link.to(to)} size="sm" w="fit-content" onClick={wants && (() => want(wants))}>
        {link.words}
      </Anchor>
    </>
  );
}

const revocationToPractiseQuery = graphql(`
  query RevocationToPractise($slug: String!) {
    revocations(slug: $slug, environment: sandbox, state: outstanding, order: deadline, first: 20) {
      edges {
        node {
          id
          fixture
          deletionDeadlineAt
        }
      }
    }
  }
`);

/** A deletion in the sandbox that the back end can acknowledge, or null. Asked for only where it is `wanted`. */
function useRevocation(wanted: boolean): string | null {
  const { slug } = useIntegration().integration;
  const now = useNow();
  const [{ data }] = usePolledQuery({
    query: revocationToPractiseQuery,
    variables: { slug },
    pause: !wanted,
    whileTrue: () => true,
    every: 5000,
    context: fresh,
  });
  const accepted = data?.revocations.edges.find(({ node }) => node.fixture || new Date(node.deletionDeadlineAt) > now);
  return accepted?.node.id ?? null;
}

const fresh = { requestPolicy: 'cache-and-network' } as const;

/** The name of the files that the back end calls with, where there is one, and otherwise of the newest. */
function keyInUseOf(client: Client): string {
  return client.certificatesInUse.find(({ lastUsedAt }) => lastUsedAt !== null)?.keyName ?? keyNameOf(client);
}
