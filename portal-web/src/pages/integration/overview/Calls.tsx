import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { certificateFacts } from '../../../../../server/domain/certificate/certificateFacts.ts';
import { FirstCall } from '../../../features/first-call/FirstCall.tsx';
import type { Client } from '../../../features/integration/integrationQuery.ts';
import { keyNameOf } from '../../../features/integration/keyNameOf.ts';
import { operationWords } from '../../../features/integration/operationPaths.ts';
import { useIntegrationPaths } from '../../../features/integration/ownerView.ts';
import type { Service } from '../../../features/integration/useIntegration.ts';
import { Bars } from '../../../ui/charts/Bars.tsx';
import { othersWords } from '../../../ui/text/counted.ts';
import { WithCode } from '../../../ui/text/WithCode.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { useMomentWords } from '../../../ui/time/useZone.ts';
import classes from './ErrorGroups.module.css';
import type { OverviewClient } from './overviewQuery.ts';

/** The requests of the last 24 hours, and why some of them were refused. */
export function LastDay({ client }: { client: OverviewClient }) {
  const { hourInZone } = useMomentWords();
  const to = useIntegrationPaths();
  const { environment, traffic } = client;
  const all = traffic.reduce((sum, { total }) => sum + total, 0);
  const told = client.errorGroups.reduce((sum, { count }) => sum + count, 0);
  // A request is in the log a moment before it is counted.
  const refused = Math.max(told, failedIn(traffic));
  // Health counts those of the present and the previous hour.
  const recent = refused > 0 && failedIn(traffic.slice(-2)) >= refused ? ', all of them in the last 2 hours' : '';
  return (
    <section aria-labelledby="last-day">
      <Title order={2} id="last-day" mb="xs">
        Last 24 hours
      </Title>
      {all > 0 && (
        <Bars
          label={`Requests in the last 24 hours, ${environment}`}
          bars={traffic.map(({ hour, ...counts }) => ({ name: hourInZone(new Date(hour)), ...counts }))}
        />
      )}
      <Text size="sm" mt="xs">
        {all === 0
          ? `No requests in ${environment === 'sandbox' ? 'the sandbox' : 'production'}. `
          : `${all.toLocaleString('en')} ${all === 1 ? 'request' : 'requests'}, ${refused.toLocaleString('en')} refused or failed${recent}. `}
        <Anchor component={Link} to={to.requests({ environment })} inherit>
          All requests
        </Anchor>
      </Text>
      <ErrorGroups client={client} others={refused - told} />
    </section>
  );
}

function failedIn(hours: OverviewClient['traffic']): number {
  return hours.reduce((sum, { failed }) => sum + failed, 0);
}

/** Why requests were refused or failed in the last day, each cause with its cure and a link to its requests. Those that are open say what to do. `others`: of causes that are not listed. */
function ErrorGroups({ client: { environment, errorGroups }, others }: { client: OverviewClient; others: number }) {
  const to = useIntegrationPaths();
  if (errorGroups.length === 0) return null;
  return (
    <ul className={classes.list} aria-label="Causes of refused and failed requests">
      {errorGroups.map(({ id, problem, status, operation, serial, count, lastAt, open, title, advice }) => (
        <li key={id} data-open={open || undefined} data-server={status >= 500 || undefined}>
          <div className={classes.head}>
            <Anchor
              component={Link}
              to={to.requests({ environment, ...(problem && { problem }), operation, ...(serial && { serial }) })}
              fw={open ? 650 : 400}
              size="sm"
            >
              {count.toLocaleString('en')} × {title}
            </Anchor>
            <Text size="sm" c="dimmed" component="span">
              {operationWords(operation)}, {status}, {open ? 'last' : 'over since'} <Time value={lastAt} />
            </Text>
          </div>
          {open && advice && (
            <Text size="sm" maw={640}>
              <WithCode text={advice} />
            </Text>
          )}
        </li>
      ))}
      {others > 0 && (
        <li>
          <Anchor component={Link} to={to.requests({ environment, answer: 'problems' })} inherit size="sm">
            {othersWords(others)}
          </Anchor>
        </li>
      )}
    </ul>
  );
}

type FirstCallsProps = { client: Client; service: Service; onAnswered: () => void };

/** The commands for the first calls, and what has become of them. */
export function FirstCalls({ client, service, onAnswered }: FirstCallsProps) {
  const keyName = keyNameOf(client);
  const certificate = client.certificatesInUse.find(({ status }) => certificateFacts[status].stage === 'working');
  return (
    <Stack gap="xs">
      <Text size="sm">
        Run this in the folder with <code>{keyName}.key</code> and{' '}
        {certificate?.bundlePath ? (
          <Anchor href={certificate.bundlePath} download={`${keyName}.pem`} inherit>
            {keyName}.pem
          </Anchor>
        ) : (
          <code>{keyName}.pem</code>
        )}
        .
      </Text>
      <FirstCall {...{ client, service, keyName, onAnswered }} first={false} />
    </Stack>
  );
}
