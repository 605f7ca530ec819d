import { Anchor, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useMutation } from 'urql';
import type { EndpointPermission } from '../../../../../server/domain/integration/integrationFacts.ts';
import { webhookEndpointFacts } from '../../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { useEnvironment } from '../../../features/integration/environment.ts';
import { type Client, type Integration, isOver } from '../../../features/integration/integrationQuery.ts';
import { useIntegrationPaths, useReadOnly } from '../../../features/integration/ownerView.ts';
import { tabLoader } from '../../../features/integration/tabLoader.ts';
import { useFrameFollows } from '../../../features/integration/useFrameFollows.ts';
import { type Service, useIntegration } from '../../../features/integration/useIntegration.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { attemptOutcomeNames, countsWords, sumOf, totalsOf } from '../../../features/webhooks/attemptOutcomes.ts';
import dayBarsClasses from './DayBars.module.css';
import { boundedCount } from '../../../features/webhooks/boundedCount.ts';
import classes from './EndpointCard.module.css';
import { EndpointFields } from '../../../features/webhooks/EndpointFields.tsx';
import type { EndpointValues } from '../../../features/webhooks/endpointValues.ts';
import { endpointPermission, permittedClients } from '../../../features/webhooks/endpointPermissions.ts';
import { healthNews, healthOf, type Surroundings } from '../../../features/webhooks/endpointHealth.ts';
import { HealthLine } from '../../../features/webhooks/HealthLine.tsx';
import { registerWebhookEndpointMutation, verifyWebhookEndpointMutation } from '../../../features/webhooks/webhookMutations.ts';
import { type AttemptBucket, endpointsQuery, type ListedEndpoint } from '../../../features/webhooks/webhookQueries.ts';
import { eventTypes, payloadModeWords } from '../../../features/webhooks/webhookWords.ts';
import { ReceiverHelp } from './ReceiverHelp.tsx';
import type { DescribedError } from '../../../graphql/describeError.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { paths } from '../../../paths.ts';
import { heightOf } from '../../../ui/charts/heightOf.ts';
import { EnvironmentSwitch } from '../../../ui/forms/EnvironmentSwitch.tsx';
import { useFocusOnErrors } from '../../../ui/forms/useFocusOnErrors.ts';
import { Columns } from '../../../ui/layout/Columns.tsx';
import { Fold } from '../../../ui/layout/Fold.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { useNow } from '../../../ui/time/useNow.ts';
import { Address } from '../../../ui/values/Address.tsx';
import { EnvironmentTag } from '../../../ui/values/EnvironmentTag.tsx';

const fresh = { requestPolicy: 'cache-and-network' } as const;

export const loader = tabLoader(({ ask, slug }) => ask(endpointsQuery, { slug }));

/** An integration's webhook endpoints, with their health at a glance, and the way to another one. */
export function Component() {
  const { integration, service } = useIntegration();
  const most = service.limits.webhookEndpoints;
  const [result, read] = usePolledQuery({
    query: endpointsQuery,
    variables: { slug: integration.slug },
    whileTrue: (data) => data.integration.webhookEndpoints.some(({ status }) => webhookEndpointFacts[status].receives !== 'never'),
    every: 5000,
    context: fresh,
  });
  useFrameFollows(result.data?.integration.webhookEndpoints.map(healthNews).join('; '));
  const reread = () => read({ requestPolicy: 'network-only' });
  const retired = isOver(integration);
  const permitted = permittedClients(integration);
  const mayRegister = !useReadOnly() && permitted.length > 0;
  return (
    <Loaded result={result} onRetry={reread}>
      {({ integration: { webhookEndpoints } }) => {
        const present = webhookEndpoints.filter(({ status }) => webhookEndpointFacts[status].receives !== 'never');
        const removed = webhookEndpoints.filter(({ status }) => webhookEndpointFacts[status].receives === 'never');
        return (
          <Stack gap="lg">
            {present.length > 0 && (
              <Panel
                bare
                title="Endpoints"
                lead={`You have ${present.length} of at most ${most} endpoints, counting sandbox and production together.`}
              >
                <Stack gap="sm">
                  {present.map((endpoint) => (
                    <EndpointCard key={endpoint.id} {...{ endpoint, integration }} />
                  ))}
                </Stack>
              </Panel>
            )}
            {retired && <Text>The integration is retired. Its endpoints were removed, and no more can be registered.</Text>}
            {!retired && present.length === 0 && (
              <Columns still side={<NoEndpoints pollingMinutes={service.limits.pollingMinutes} />}>
                <Stack gap="md">
                  <EmptyState kind="nothingYet" title={`There is no endpoint ${removed.length > 0 ? 'now' : 'yet'}.`} />
                  {mayRegister && <RegisterEndpoint {...{ integration, permitted, service }} onRegistered={reread} />}
                </Stack>
              </Columns>
            )}
            {mayRegister && present.length > 0 && present.length < most && (
              <AnotherEndpoint {...{ integration, permitted, service }} onRegistered={reread} />
            )}
            {mayRegister && present.length >= most && (
              <Text>An integration has at most {most} endpoints. Remove one to register another.</Text>
            )}
            {removed.length > 0 && (
              <Panel bare title="Removed endpoints" lead="Their deliveries stay readable for 30 days after their events.">
                <Stack gap="md">
                  {removed.map((endpoint) => (
                    <EndpointCard key={endpoint.id} {...{ endpoint, integration }} />
                  ))}
                </Stack>
              </Panel>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** Why an environment that there is gets no endpoint, beside the form for one in the other. */
const refusals: Readonly<Record<EndpointPermission, string | null>> = {
  yes: null,
  notBeforeApproval: 'Production endpoints can be set up once the integration is approved.',
  notWhileSuspended: 'Production endpoints cannot be set up while the integration is suspended.',
  notOnceRetired: null,
};

/** Shown before the first endpoint: what pulling gives already, and what webhooks add. */
function NoEndpoints({ pollingMinutes }: { pollingMinutes: number }) {
  return (
    <Panel title="You get all data without webhooks, too">
      <List spacing="xs" maw={640}>
        <List.Item>
          <strong>Pulling is complete.</strong> Each sync brings every change and every revocation since the last one. No change arrives
          only by webhook.
        </List.Item>
        <List.Item>
          <strong>Webhooks save you the wait.</strong> You learn of a change within seconds, instead of at your next sync after up to{' '}
          {pollingMinutes} minutes.
        </List.Item>
        <List.Item>
          <strong>Webhooks can come late, twice or out of order,</strong> so keep pulling as well.
        </List.Item>
      </List>
      <Text mt="md">
        <Anchor component={Link} to={paths.guide('webhooks')}>
          Receiving webhooks
        </Anchor>
        {' · '}
        <Anchor component={Link} to={paths.guide('syncing')}>
          Syncing
        </Anchor>
      </Text>
    </Panel>
  );
}

type RegisterEndpointProps = {
  integration: Pick<Integration, 'id' | 'slug' | 'clients' | 'phases' | 'profile'>;
  /** The clients of the environments in which one can be set up now. */
  permitted: readonly Client[];
  service: Service;
  onRegistered: () => void;
};

/** The way to another endpoint: a button, which the form takes the place of. */
function AnotherEndpoint(props: RegisterEndpointProps) {
  const [wanted, setWanted] = useState(false);
  if (wanted) return <RegisterEndpoint {...props} focused onCancel={() => setWanted(false)} />;
  return (
    <Button variant="default" w="fit-content" onClick={() => setWanted(true)}>
      New endpoint
    </Button>
  );
}

type FormProps = RegisterEndpointProps & {
  /** Whether the form begins with the cursor in its first field. */
  focused?: boolean;
  /** Called when the reader wants no endpoint after all. Without it, the form stays. */
  onCancel?: () => void;
};

/** The form for a new endpoint, in the environment that the address names. Once it is registered, the challenge starts at once and its page shows how it goes. */
function RegisterEndpoint({ integration, permitted, service, onRegistered, focused = false, onCancel }: FormProps) {
  const to = useIntegrationPaths();
  const { id: integrationId, clients, profile } = integration;
  const [shown] = useEnvironment();
  const [chosen, setEnvironment] = useState(shown);
  const environment = permitted.some((each) => each.environment === chosen) ? chosen : (permitted[0]?.environment ?? chosen);
  const refusal = clients.map((each) => refusals[endpointPermission(integration, each.environment)]).find((words) => words !== null);
  const [values, setValues] = useState<EndpointValues>({
    url: '',
    payloadMode: profile.webhookModel === 'full_payload' ? 'full_payload' : 'notification',
    eventTypes: [...eventTypes],
    description: '',
  });
  const [problem, setProblem] = useState<DescribedError | null>(null);
  const [busy, setBusy] = useState(false);
  const { formElement, bringToErrors } = useFocusOnErrors();
  const [, register] = useMutation(registerWebhookEndpointMutation);
  const [, verify] = useMutation(verifyWebhookEndpointMutation);
  const confirmed = useFreshPasskey();
  const navigate = useNavigate();

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const { description, url, ...rest } = values;
    const input = { integrationId, environment, url: url.trim(), description: description.trim(), ...rest };
    const { data, error } = await confirmed(() => register({ input }));
    if (!data) {
      setBusy(false);
      setProblem(error ?? null);
      return bringToErrors();
    }
    const { id } = data.registerWebhookEndpoint;
    // Whatever comes of it, the endpoint is registered; its page shows how the challenge goes, or offers to start one.
    await confirmed(() => verify({ input: { endpointId: id } }));
    onRegistered();
    await navigate(to.webhookEndpoint(id));
  }

  const fields = problem?.fields ?? {};
  const general = problem && Object.keys(fields).length === 0 ? problem.message : null;
  return (
    <Panel
      title="New endpoint"
      lead="We first send it a challenge, which shows that the address is yours. Events follow once it has been answered."
    >
      <form ref={formElement} onSubmit={(event) => void submit(event)} noValidate aria-label="New endpoint">
        <Stack gap="md" maw={640}>
          {general && <ErrorMessage message={general} />}
          <EnvironmentSwitch clients={permitted} value={environment} onChange={setEnvironment} />
          {refusal && <Text size="sm">{refusal} This one is for the sandbox.</Text>}
          {fields['environment'] && <ErrorMessage message={fields['environment']} />}
          <EndpointFields values={values} errors={fields} focused={focused} onChange={(changes) => setValues({ ...values, ...changes })} />
          <Text size="sm" c="dimmed">
            Your receiver answers the challenge with any 2xx status and a JSON object that repeats the challenge it was sent.
          </Text>
          <Group gap="sm">
            <Button type="submit" loading={busy}>
              Register and prove
            </Button>
            {onCancel && (
              <Button variant="default" onClick={onCancel}>
                Cancel
              </Button>
            )}
          </Group>
          {environment === 'sandbox' && (
            <Fold summary="No receiver yet? Start one">
              <ReceiverHelp service={service} onUrl={(url) => setValues({ ...values, url })} />
            </Fold>
          )}
        </Stack>
      </form>
    </Panel>
  );
}

type EndpointCardProps = { endpoint: ListedEndpoint; integration: Surroundings };

/** One endpoint in the list: where it is, whether deliveries arrive, and how many do not. */
function EndpointCard({ endpoint, integration }: EndpointCardProps) {
  const to = useIntegrationPaths();
  const readOnly = useReadOnly();
  const { act } = healthOf(endpoint, integration, useNow());
  const { id, url, status, environment, payloadMode, description, attemptHistory } = endpoint;
  const chosen = eventTypes.filter((type) => endpoint.eventTypes.includes(type));
  return (
    <article className={classes.card} aria-label={`Endpoint ${id}`}>
      <div className={classes.about}>
        <Title order={3} className={classes.url}>
          <Anchor component={Link} to={to.webhookEndpoint(id)} inherit>
            <Address value={url} />
          </Anchor>
        </Title>
        <Group gap="xs">
          <EnvironmentTag environment={environment} />
          <Text size="sm" c="dimmed">
            {payloadModeWords[payloadMode].word}, {chosen.length < eventTypes.length && `${chosen.length} of `}
            {eventTypes.length} event types
          </Text>
        </Group>
        {description && <Text size="sm">{description}</Text>}
        <HealthLine {...{ endpoint, integration }} />
        {act && !readOnly && (
          <Button
            component={Link}
            to={to.webhookEndpoint(id, act === 'View the deliveries' ? { state: 'dead' } : {})}
            variant="default"
            size="xs"
            className={classes.act}
            aria-label={`${act}: ${url.replace('https://', '')}`}
          >
            {act}
          </Button>
        )}
      </div>
      <Stack gap="xs">
        {webhookEndpointFacts[status].receives !== 'never' && <DayBars buckets={attemptHistory} />}
        <Figures endpoint={endpoint} />
      </Stack>
    </article>
  );
}

function Figures({ endpoint: { id, health } }: { endpoint: ListedEndpoint }) {
  const to = useIntegrationPaths();
  const counted = (state: 'pending' | 'held' | 'dead', count: number) =>
    count === 0 ? (
      '0'
    ) : (
      <Anchor component={Link} to={to.webhookEndpoint(id, { state })} inherit>
        {boundedCount(count)}
      </Anchor>
    );
  const figures: (readonly [string, ReactNode])[] = [
    ['Last success', health.lastSuccessAt ? <Time key="success" value={health.lastSuccessAt} /> : 'None yet'],
    ['Waiting', counted('pending', health.waiting)],
    ['Held', counted('held', health.held)],
    ['Not delivered', counted('dead', health.dead)],
  ];
  return (
    <dl className={classes.figures}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The attempts of the last 24 hours as small bars, with the sums as words. The endpoint’s own page has the figures of each hour. */
function DayBars({ buckets }: { buckets: readonly AttemptBucket[] }) {
  const highest = Math.max(1, ...buckets.map(sumOf));
  const words = countsWords(totalsOf(buckets), 'in the last 24 hours');
  const some = buckets.some((bucket) => sumOf(bucket) > 0);
  return (
    <div>
      {some && (
        <div className={dayBarsClasses.chart} aria-hidden>
          <span>24 h ago</span>
          <div className={dayBarsClasses.bars}>
            {buckets.map((bucket) => (
              <div key={bucket.from} className={dayBarsClasses.bar}>
                {attemptOutcomeNames.map((name) => (
                  <div key={name} className={dayBarsClasses[name]} style={{ height: heightOf(bucket[name], highest) }} />
                ))}
              </div>
            ))}
          </div>
          <span>now</span>
        </div>
      )}
      <Text size="xs" c="dimmed" mt={4}>
        {words}.{some && ` Peak: ${highest.toLocaleString('en')} per hour.`}
      </Text>
    </div>
  );
}
