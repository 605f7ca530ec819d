import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { healthFacts } from '../../../../../server/domain/attention/findings/healthFacts.ts';
import { integrationFacts } from '../../../../../server/domain/integration/integrationFacts.ts';
import { type AdminHome, adminHomeQuery, type NewIntegration, type StaffAct } from './homeQuery.ts';
import { OperatorLink } from '../../../features/administration/OperatorLink.tsx';
import { NeedsYou } from '../../../features/attention/NeedsYou.tsx';
import { actionWords } from '../../../features/audit/auditWords.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { paths } from '../../../paths.ts';
import { Bars } from '../../../ui/charts/Bars.tsx';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { counted, othersWords } from '../../../ui/text/counted.ts';
import { AsOf } from '../../../ui/time/AsOf.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { serverTime } from '../../../ui/time/serverTime.ts';
import { useMomentWords } from '../../../ui/time/useZone.ts';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';

const fresh = { requestPolicy: 'cache-and-network' } as const;

/** Is the service well, and if not, what comes first? It is read again every minute while somebody looks. */
export function Component() {
  const [result, read] = usePolledQuery({ query: adminHomeQuery, variables: {}, whileTrue: () => true, every: 60_000, context: fresh });
  const reread = () => read({ requestPolicy: 'network-only' });
  return (
    <>
      <PageHeader title="Service" documentTitle="Service (administration)" />
      <Loaded result={result} onRetry={reread}>
        {({ administratorsHome: { attention, traffic, refusals, staffActs }, allIntegrations }) => (
          <Stack gap="lg">
            <ServiceNeeds attention={attention} reading={result.fetching} onCheck={reread} />
            <ServiceTraffic traffic={traffic} refusals={refusals} />
            <NewestIntegrations integrations={allIntegrations.edges.map(({ node }) => node)} />
            <StaffActs acts={staffActs} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

/** What the reader’s colleagues have decided lately. */
function StaffActs({ acts }: { acts: AdminHome['staffActs'] }) {
  return (
    <Panel title="Recent decisions by other staff">
      {!acts && <NotRead what="Decisions by other staff" />}
      {acts?.length === 0 && (
        <Text size="sm" c="dimmed">
          None in the last 30 days.
        </Text>
      )}
      {acts && acts.length > 0 && (
        <DataTable caption="Recent decisions by other staff" columns={columns} rows={acts} rowKey={({ id }) => id} />
      )}
      <Text size="sm" mt="sm">
        <Anchor component={Link} to={paths.adminAudit} inherit>
          Full audit trail
        </Anchor>
      </Text>
    </Panel>
  );
}

const columns: readonly Column<StaffAct>[] = [
  { header: 'Action', breaks: true, cell: ({ action, subjectName }) => [actionWords(action), subjectName].filter(Boolean).join(': ') },
  { header: 'By', breaks: true, cell: ({ actorId, actorName }) => actorId && <OperatorLink id={actorId} name={actorName} /> },
  { header: 'Time', cell: ({ occurredAt }) => <Time value={occurredAt} /> },
];

/** The integrations that were created last. */
function NewestIntegrations({ integrations }: { integrations: readonly NewIntegration[] }) {
  return (
    <Panel title="Newest integrations">
      {integrations.length === 0 ? (
        <Text size="sm" c="dimmed">
          No integrations yet.
        </Text>
      ) : (
        <DataTable
          caption="Newest integrations"
          columns={newestIntegrationsColumns}
          rows={integrations}
          rowKey={({ integration }) => integration.id}
        />
      )}
      <Text size="sm" mt="sm">
        <Anchor component={Link} to={paths.adminIntegrations} inherit>
          All integrations
        </Anchor>
      </Text>
    </Panel>
  );
}

const newestIntegrationsColumns: readonly Column<NewIntegration>[] = [
  {
    header: 'Name',
    cell: ({ integration }) => integration.profile.publicName,
    to: ({ integration }) => paths.adminIntegration(integration.slug),
  },
  {
    header: 'Status',
    cell: ({ integration: { status } }) => <StatusBadge tone={integrationFacts[status].tone}>{integrationFacts[status].word}</StatusBadge>,
  },
  { header: 'Health', cell: ({ health }) => <StatusBadge tone={healthFacts[health].tone}>{healthFacts[health].word}</StatusBadge> },
  { header: 'Created', cell: ({ integration }) => <Time value={integration.createdAt} /> },
];

type ServiceNeedsProps = { attention: AdminHome['attention']; reading: boolean; onCheck: () => void };

/** Whether the service needs somebody, and for what first. It says when it was checked, so that an old answer is not taken for today’s. */
function ServiceNeeds({ attention: { checkedAt, items }, reading, onCheck }: ServiceNeedsProps) {
  const { second } = useMomentWords();
  const checked = <AsOf at={checkedAt} words={second(new Date(checkedAt), new Date(serverTime()))} />;
  const again = (
    <Button variant="default" size="xs" loading={reading} onClick={onCheck}>
      Check again
    </Button>
  );
  return (
    <section aria-labelledby="service-needs">
      <Group justify="space-between" gap="sm" mb="xs">
        <Title order={2} id="service-needs">
          Needs attention
        </Title>
        {items.length > 0 && (
          <Group gap="sm">
            <Text size="sm" c="dimmed" role="status">
              Checked {checked}
            </Text>
            {again}
          </Group>
        )}
      </Group>
      {items.length > 0 ? (
        <NeedsYou items={items} full />
      ) : (
        <EmptyState kind="allClear" title={<>All clear, checked {checked}</>} action={again}>
          Jobs, reviews, deletions, suspensions, webhooks, mail, authorities, revocation lists and gates were all checked.
        </EmptyState>
      )}
    </section>
  );
}

type Refusal = NonNullable<AdminHome['refusals']>[number];

/** The requests of all clients in the last 24 hours, and why some of them were refused. */
function ServiceTraffic({ traffic, refusals }: Pick<AdminHome, 'traffic' | 'refusals'>) {
  const failed = traffic?.reduce((sum, hour) => sum + hour.failed, 0) ?? 0;
  const others = failed - (refusals?.reduce((sum, { requests }) => sum + requests, 0) ?? 0);
  return (
    <Panel title="Last 24 hours">
      {traffic ? <Requests traffic={traffic} /> : <NotRead what="The requests" />}
      {refusals ? (
        refusals.length > 0 && (
          <>
            <DataTable
              caption="Refusals of the last 24 hours"
              columns={serviceTrafficColumns}
              rows={refusals}
              rowKey={({ problem }) => problem}
            />
            {others > 0 && (
              <Text size="sm" c="dimmed" mt="xs">
                {othersWords(others)} refused or failed.
              </Text>
            )}
          </>
        )
      ) : (
        <NotRead what="The reasons for refusals" />
      )}
    </Panel>
  );
}

function Requests({ traffic }: { traffic: NonNullable<AdminHome['traffic']> }) {
  const { hourInZone } = useMomentWords();
  const all = traffic.reduce((sum, { total }) => sum + total, 0);
  const refused = traffic.reduce((sum, { failed }) => sum + failed, 0);
  return (
    <>
      {all > 0 && (
        <Bars
          label="Requests of all clients in the last 24 hours"
          bars={traffic.map(({ hour, ...counts }) => ({ name: hourInZone(new Date(hour)), ...counts }))}
          height={56}
        />
      )}
      <Text size="sm" mt="xs" mb={refused > 0 ? 'sm' : 0}>
        {all === 0 ? 'No requests.' : `${counted(all, 'request')}, ${refused.toLocaleString('en')} refused or failed.`}
      </Text>
    </>
  );
}

const serviceTrafficColumns: readonly Column<Refusal>[] = [
  {
    header: 'Problem',
    cell: ({ problem }) => (
      <Anchor component={Link} to={paths.problem(problem)} inherit>
        <code>{problem}</code>
      </Anchor>
    ),
  },
  { header: 'Requests', cell: ({ requests, more }) => `${more ? 'at least ' : ''}${requests.toLocaleString('en')}` },
  { header: 'Integrations', cell: ({ integrations }) => integrations.toLocaleString('en') },
];

/** What could not be read is said: an empty place would look as if there was nothing. */
function NotRead({ what }: { what: string }) {
  return (
    <Text size="sm" c="dimmed">
      {what} could not be read, so their state is unknown.
    </Text>
  );
}
