import { Anchor, Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Link, useLocation } from 'react-router';
import { useQuery } from 'urql';
import { kitVersion } from '../../../features/integration/kitVersion.ts';
import { statusClasses, statusClassOf } from '../../../features/integration/statusClasses.ts';
import { CodePanel } from '../../../features/reference/CodePanel.tsx';
import { fillSample, placeholders } from '../../../features/reference/fillSample.ts';
import {
  type Language,
  languages,
  type ReferenceSection,
  type Samples,
  type SlotValues,
} from '../../../features/reference/referenceTypes.ts';
import { useSession } from '../../../features/session/SessionContext.ts';
import { graphql, type ResultOf } from '../../../graphql/graphql.ts';
import { useFrame } from '../../../graphql/useFrame.ts';
import { integrationPaths, paths, signInPath } from '../../../paths.ts';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { PageLoading } from '../../../ui/states/PageLoading.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import classes from './SamplePanel.module.css';
import { Sections } from './Sections.tsx';

/** What is said of an operation, with its sample. What is below would move if the sample came later. */
export function WithSample({
  operation,
  samples,
  sections,
}: {
  operation: string;
  samples: Samples;
  sections: readonly ReferenceSection[];
}) {
  const reader = useReader(operation);
  if (!reader.isKnown) return <PageLoading />;
  return (
    <Sections
      sections={sections}
      sample={
        <aside aria-label="Sample">
          <SamplePanel reader={reader} samples={samples} />
        </aside>
      }
    />
  );
}

/** An operation in the reader's language and with the reader's own values, and the reader's last call of it. */
function SamplePanel({ reader, samples }: { reader: Reader; samples: Samples }) {
  const [kept, keep] = useLocalStorage<Language>({ key: 'svc.docs.language', defaultValue: 'curl', getInitialValueInEffect: false });
  const language = languages.includes(kept) ? kept : 'curl';
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="Language of the sample"
        size="xs"
        fullWidth
        value={language}
        onChange={keep}
        data={languages.map((value) => ({ value, label: languageNames[value] }))}
      />
      {reader.values && <CodePanel pieces={fillSample(samples[language], reader.values)} label="the sample" />}
      <Values reader={reader} />
      {reader.developmentCa && (
        <Text size="xs" c="dimmed">
          This development service has a certificate of its own. Download{' '}
          <Anchor href={paths.developmentCa} download="ca.pem" inherit>
            ca.pem
          </Anchor>{' '}
          and run <code>{trustCommands[language]}</code> first.
        </Text>
      )}
      {reader.chosen && <LastCall choice={reader.chosen} reader={reader} />}
    </Stack>
  );
}

/** Whose values stand in the sample. */
function Values({ reader: { isSignedIn, choices, chosen, choose, unread, readAgain } }: { reader: Reader }) {
  const { pathname } = useLocation();
  if (unread === 'clients')
    return <ErrorMessage message="Your integrations could not be read, so the sample has placeholders." onRetry={readAgain} />;
  if (chosen)
    return (
      <NativeSelect
        label="Values of"
        size="xs"
        value={chosen.client.id}
        onChange={(event) => choose(event.currentTarget.value)}
        data={choices.map(({ words, client }) => ({ value: client.id, label: words }))}
      />
    );
  return (
    <Text size="xs" c="dimmed">
      {isSignedIn ? (
        <>
          The marked names and identifiers are placeholders.{' '}
          <Anchor component={Link} to={paths.newIntegration} inherit>
            Create an integration
          </Anchor>{' '}
          to see your own values.
        </>
      ) : (
        <>
          The marked names and identifiers are placeholders.{' '}
          <Anchor component={Link} to={signInPath(pathname)} inherit>
            Sign in
          </Anchor>{' '}
          to see your own values.
        </>
      )}
    </Text>
  );
}

/**
 * The last call of the operation in the log of the chosen client, with a link to it. It takes its place before the facts are there, so that
 * nothing moves when they come. If they could not be read, it says so.
 */
function LastCall({ choice: { slug, client }, reader: { facts, unread, readAgain } }: { choice: Choice; reader: Reader }) {
  const call = facts?.requests.edges[0]?.node;
  return (
    <section aria-label="Your last call" className={classes.last}>
      <Text fw={650} size="sm">
        Your last call of this operation
      </Text>
      {unread === 'lastCall' ? (
        <ErrorMessage message="It could not be read." onRetry={readAgain} />
      ) : call ? (
        <>
          <Group gap="xs">
            <StatusBadge tone={statusClasses[statusClassOf(call.status)].tone}>{`${call.status} ${call.title}`}</StatusBadge>
            <Text size="xs" c="dimmed">
              <Time value={call.occurredAt} />, {Math.round(call.durationMs).toLocaleString('en')} ms
            </Text>
          </Group>
          <Group gap="md">
            <Anchor component={Link} to={integrationPaths(slug).requests({ environment: client.environment, request: call.id })} size="sm">
              Open in the request log
            </Anchor>
            {call.problem && (
              <Anchor component={Link} to={paths.problem(call.problem)} size="sm">
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

type Reader = {
  readonly isSignedIn: boolean;
  /** Whether it is known whose values these are. */
  readonly isKnown: boolean;
  readonly choices: readonly Choice[];
  readonly chosen: Choice | null;
  readonly choose: (clientId: string) => void;
  /** Null until the service has said its addresses. */
  readonly values: SlotValues | null;
  readonly developmentCa: boolean;
  /** Of the chosen client; null until it is known, and for readers without a client. */
  readonly facts: LastCallFacts | null;
  /** What could not be read, if anything. */
  readonly unread: 'clients' | 'lastCall' | null;
  readonly readAgain: () => void;
};

/** Who reads a page of the reference, with the values of the client that they chose last. */
function useReader(operation: string): Reader {
  const { state, viewer } = useSession();
  const isSignedIn = viewer?.kind === 'full';
  const [{ data: service }] = useFrame();
  const [{ data: clients, error }, readClients] = useQuery({ query: readerClientsQuery, pause: !isSignedIn });
  const [wanted, choose] = useLocalStorage({ key: 'svc.docs.client', defaultValue: '' });
  const choices = isSignedIn && clients ? choicesOf(clients.integrations.edges.map(({ node }) => node)) : [];
  const chosen = choices.find(({ client }) => client.id === wanted) ?? choices[0] ?? null;
  const environment = chosen?.client.environment ?? 'sandbox';
  const [{ data: facts, error: factsError }, readFacts] = useQuery({
    query: lastCallQuery,
    variables: { clientId: chosen?.client.id ?? '', operation, slug: chosen?.slug ?? '', environment, sandbox: environment === 'sandbox' },
    pause: !chosen,
    requestPolicy: 'cache-and-network',
  });
  const known = (chosen && facts) ?? null;
  const { developmentCa = false } = service?.service ?? {};
  const isKnown = state !== 'loading' && (!isSignedIn || clients !== undefined || error !== undefined);
  return {
    isSignedIn,
    isKnown,
    choices,
    chosen,
    choose,
    values: service && isKnown ? readerValues(service.service, chosen, known) : null,
    developmentCa,
    facts: known,
    unread: isSignedIn && !clients && error ? 'clients' : chosen && !facts && factsError ? 'lastCall' : null,
    readAgain: () => (chosen ? readFacts : readClients)({ requestPolicy: 'network-only' }),
  };
}

/** A client that samples can be made for, under the name of its integration. */
type Choice = { readonly slug: string; readonly words: string; readonly client: ReaderClient };

/** Every client of the reader's integrations, those of the newest integration first. */
function choicesOf(integrations: readonly ReaderIntegration[]): Choice[] {
  return integrations.flatMap(({ slug, profile, clients }) =>
    clients.map((client) => ({ slug, client, words: `${profile.publicName}, ${client.environment}` })),
  );
}

/** The files of the certificate that made the last call; without one, of the newest certificate; without any, of the next one. */
function filesOf({ certificatesInUse, nextKeyName }: ReaderClient): string {
  const used = certificatesInUse.filter(({ lastUsedAt }) => lastUsedAt !== null);
  const last = used.toSorted((one, other) => String(other.lastUsedAt).localeCompare(String(one.lastUsedAt)))[0];
  return (last ?? certificatesInUse[0])?.keyName ?? nextKeyName;
}

/** What stands in a sample's places for this reader. Where nothing is known of theirs, the placeholder stays. */
function readerValues(
  { machineApiUrl, portalUrl }: { machineApiUrl: string; portalUrl: string },
  choice: Choice | null,
  facts: LastCallFacts | null,
): SlotValues {
  const unknown = placeholders({ machineApiUrl, kitUrl: new URL(paths.kit(kitVersion), portalUrl).href });
  if (!choice) return unknown;
  const first = (list: { edges: readonly { node: { id: string } }[] } | null | undefined) => list?.edges[0]?.node.id;
  return {
    ...unknown,
    environment: choice.client.environment,
    name: choice.client.commonName,
    files: filesOf(choice.client),
    order_id: first(facts?.orders) ?? unknown.order_id,
    vehicle_id: first(facts?.vehicles) ?? unknown.vehicle_id,
    revocation_id: first(facts?.revocations) ?? unknown.revocation_id,
  };
}

/** The reader's integrations with what their commands are made of. */
const readerClientsQuery = graphql(`
  query ReaderClients {
    integrations(first: 50) {
      edges {
        node {
          id
          slug
          profile {
            publicName
          }
          clients {
            id
            environment
            commonName
            nextKeyName
            certificatesInUse {
              id
              keyName
              lastUsedAt
            }
          }
        }
      }
    }
  }
`);

/** A client's last call of one operation, and identifiers of its own that calls can name. */
const lastCallQuery = graphql(`
  query LastCall($clientId: ID!, $operation: String!, $slug: String!, $environment: Environment!, $sandbox: Boolean!) {
    requests(clientId: $clientId, filter: { operation: $operation }, first: 1) {
      edges {
        node {
          id
          occurredAt
          status
          problem
          title
          durationMs
        }
      }
    }
    orders: sandboxResources(clientId: $clientId, first: 1, type: order) @include(if: $sandbox) {
      edges {
        node {
          id
        }
      }
    }
    vehicles: sandboxResources(clientId: $clientId, first: 1, type: vehicle) @include(if: $sandbox) {
      edges {
        node {
          id
        }
      }
    }
    revocations(slug: $slug, environment: $environment, first: 1) {
      edges {
        node {
          id
        }
      }
    }
  }
`);

type ReaderIntegration = ResultOf<typeof readerClientsQuery>['integrations']['edges'][number]['node'];
type ReaderClient = ReaderIntegration['clients'][number];
type LastCallFacts = ResultOf<typeof lastCallQuery>;

const languageNames: Readonly<Record<Language, string>> = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  go: 'Go',
  java: 'Java',
};

/** How a language is told to trust the certificate of a development service. */
const trustCommands: Readonly<Record<Language, string>> = {
  curl: 'export CURL_CA_BUNDLE=ca.pem',
  typescript: 'export NODE_EXTRA_CA_CERTS=ca.pem',
  python: 'export SSL_CERT_FILE=ca.pem',
  go: 'export SSL_CERT_FILE=ca.pem',
  java: 'keytool -importcert -noprompt -alias svc -file ca.pem -keystore trust.p12 -storepass changeit && export JAVA_TOOL_OPTIONS="-Djavax.net.ssl.trustStore=trust.p12 -Djavax.net.ssl.trustStorePassword=changeit"',
};
