import { resolve } from 'node:path';
import { z } from 'zod';
import { acceptTerms, confirmPasskey, openAccount } from './account.ts';
import { certificateRequest } from './certificateRequest.ts';
import { type Credentials, type DemoFiles, saveDemoFiles } from './demoFiles.ts';
import { corpusReady, createIntegration, type DemoIntegration, issuedCertificate, requestCertificate } from './integration.ts';
import { MachineApiClient } from './MachineApiClient.ts';
import { PortalClient } from './PortalClient.ts';
import { claimAndRevokeP12 } from './p12.ts';
import { readCapabilities, readDetail, readStatistics, summary, type SyncedCopy, syncEverything } from './syncedCopy.ts';
import { shareAndRevoke } from './shareAndRevoke.ts';
import { SoftwarePasskey } from './SoftwarePasskey.ts';
import { Steps } from './Steps.ts';
import { expectThat, Surprise } from './Surprise.ts';
import { receiveWebhooks, type WebhookOptions } from './webhooks.ts';

export type DemoOptions = {
  /** The address of a running portal, such as http://localhost:3000. */
  readonly portal: string;
  /** The folder for the key, the certificate, ca.pem and demo.json. It is made if it is missing. */
  readonly out: string;
  /** The scopes to ask for. All of them if absent. */
  readonly scopes?: readonly string[];
  /** Where a receiver of webhooks may listen. Without it, the demo leaves them out. */
  readonly webhooks?: WebhookOptions;
  readonly print: (line: string) => void;
};

const service = z.object({
  portalUrl: z.string(),
  machineApiUrl: z.string(),
  developmentMailbox: z.boolean(),
  developmentCa: z.boolean(),
  scopes: z.array(z.object({ name: z.string() })),
});

type Journey = { readonly portal: PortalClient; readonly steps: Steps; readonly scopes: readonly string[]; readonly baseUrl: string };

/**
 * A scripted operator goes all the way against a running service, from registration through a synced sandbox and an acknowledged deletion to
 * a second certificate, which comes as a P12 package and is revoked, and to webhooks that fail and are delivered in the end.
 * Leaves the key, the certificates and demo.json in `out`. Throws a Surprise, which names the step, at anything unexpected.
 */
export async function runDemo({ portal: address, out, scopes: wanted, webhooks, print }: DemoOptions): Promise<void> {
  const steps = new Steps(print);
  try {
    const portal = new PortalClient(address);
    const facts = await steps.run(
      'Find the service',
      () => findService(portal),
      ({ machineApiUrl }) => `machine API at ${machineApiUrl}`,
    );
    const scopes = wanted ?? facts.scopes.map(({ name }) => name);
    const journey = { portal, steps, scopes, baseUrl: facts.machineApiUrl };
    const { integration, credentials, files, passkey } = await becomeOperator(journey, resolve(out));
    const synced = await useMachineApi(journey, integration, credentials);
    await claimAndRevokeP12({ portal, steps, baseUrl: facts.machineApiUrl, ca: credentials.ca, integration });
    if (webhooks && synced) {
      const resources = [...synced.orders, ...synced.vehicles];
      const { machineApiUrl } = facts;
      await receiveWebhooks({ ...webhooks, portal, steps, passkey, integration, machineApiUrl, folder: resolve(out), resources });
    }
    printNext(print, files, { scopes, baseUrl: facts.machineApiUrl });
  } catch (error) {
    throw inStep(steps.running, error);
  }
}

async function findService(portal: PortalClient): Promise<z.infer<typeof service>> {
  const { service: facts } = await portal.ask('{ service { portalUrl machineApiUrl developmentMailbox developmentCa scopes { name } } }', {
    answer: z.object({ service }),
  });
  expectThat(
    facts.portalUrl === portal.origin,
    `The portal's own address is ${facts.portalUrl}, and passkeys are bound to it. Use --portal ${facts.portalUrl}`,
  );
  expectThat(
    facts.developmentMailbox,
    'This portal sends real mail (SMTP_URL is set); the demo needs the development mailbox to read its link.',
  );
  expectThat(
    facts.developmentCa,
    'This service has no development certificate for the demo to trust; the demo works only with `npm start`.',
  );
  return facts;
}

/** The steps in the portal: account, integration, certificate, files. */
async function becomeOperator(journey: Journey, folder: string) {
  const { portal, steps, scopes, baseUrl } = journey;
  const passkey = new SoftwarePasskey();
  await openAccount(portal, passkey, steps);
  const termsVersion = await steps.run(
    'Accept the Integration Terms',
    () => acceptTerms(portal),
    (version) => `version ${version}`,
  );
  const integration = await steps.run(
    'Create an integration',
    () => createIntegration(portal, { scopes, termsVersion }),
    ({ slug }) => `${slug}, scopes: ${scopes.length === 7 ? 'all seven' : scopes.join(', ')}`,
  );
  await steps.run(
    'Wait for the test data',
    () => corpusReady(portal, integration.slug),
    ({ state }) => state,
  );
  const credentials = await obtainCertificate(journey, integration, passkey);
  const { id, slug, clientId, commonName } = integration;
  const facts = {
    portalUrl: portal.origin,
    baseUrl,
    integrationId: id,
    slug,
    clientId,
    commonName,
    certificateId: credentials.certificateId,
    scopes,
  };
  const files = await steps.run(
    'Save the files',
    () => saveDemoFiles(folder, credentials.keyName, credentials, facts),
    () => folder,
  );
  return { integration, credentials, files, passkey };
}

async function obtainCertificate(
  { portal, steps }: Journey,
  { clientId, commonName }: DemoIntegration,
  passkey: SoftwarePasskey,
): Promise<Credentials & { certificateId: string; keyName: string }> {
  const { privateKeyPem, csrPem } = await steps.run(
    'Create a key and a request',
    async () => certificateRequest(commonName),
    () => `EC P-256, CN=${commonName}`,
  );
  await steps.run(
    'Confirm with the passkey',
    () => confirmPasskey(portal, passkey),
    () => 'valid for five minutes',
  );
  const certificateId = await steps.run(
    'Request the certificate',
    () => requestCertificate(portal, { clientId, csr: csrPem }),
    (id) => id,
  );
  const issued = await steps.run(
    'Wait for it and download it',
    () => issuedCertificate(portal, { clientId, certificateId }),
    ({ notAfter }) => `valid until ${notAfter.slice(0, 10)}`,
  );
  return {
    certificateId,
    keyName: issued.keyName,
    key: privateKeyPem,
    cert: issued.bundle,
    ca: await portal.download('/dev/machine-api-ca.pem'),
  };
}

/**
 * The steps at the machine API: who am I, everything once, nothing new, single resources; then a share from its link code to the
 * acknowledged deletion; then statistics. They take at most 16 requests of the 20 a minute.
 */
async function useMachineApi(
  { portal, steps, scopes, baseUrl }: Journey,
  integration: DemoIntegration,
  { key, cert, ca }: Credentials,
): Promise<SyncedCopy | null> {
  const { id, clientId } = integration;
  const api = new MachineApiClient(baseUrl, { ca, cert, key, note: (text) => steps.note(text) });
  let synced: SyncedCopy | null = null;
  try {
    await steps.run(
      'Read the capabilities',
      () => readCapabilities(api, { integrationId: id, clientId, scopes }),
      ({ environment, quotas }) => `${environment}, ${quotas.requests_per_minute} requests a minute`,
    );
    if (readsIndividualData(scopes)) synced = await readAndShare({ portal, steps, scopes }, integration, api);
    else {
      await steps.run(
        'Try to sync',
        () => api.expectRefusal('/sync', { status: 403, code: 'scope_required' }, z.unknown()),
        () => '403 scope_required: these scopes give no access to individual data',
      );
    }
    if (scopes.includes('statistics.orders.read')) {
      await steps.run(
        'Read the statistics',
        () => readStatistics(api),
        ({ groups, minimum_group_size: smallest }) => `${groups.length} groups, each of at least ${smallest} users`,
      );
    }
    return synced;
  } finally {
    api.close();
  }
}

/** Follows the whole feed, reads single resources, and takes a share from its link code to its end. */
async function readAndShare(
  { portal, steps, scopes }: Omit<Journey, 'baseUrl'>,
  integration: DemoIntegration,
  api: MachineApiClient,
): Promise<SyncedCopy> {
  const data = await steps.run(
    'Sync to the end',
    () => syncEverything(api, scopes),
    (synced) => `${summary(synced)} in ${synced.pages} ${synced.pages === 1 ? 'page' : 'pages'}`,
  );
  await steps.run(
    'Ask again with If-None-Match',
    () => api.expectUnchanged(data.last.path, data.last.etag),
    () => '304, nothing new',
  );
  for (const resource of [data.orders[0], data.vehicles[0]]) {
    if (!resource) continue;
    await steps.run(
      `Read one ${resource.type}`,
      () => readDetail(api, resource),
      (words) => words,
    );
  }
  await shareAndRevoke({ portal, api, steps, scopes, integration, cursor: data.cursor });
  return data;
}

function printNext(
  print: (line: string) => void,
  { key, cert, ca, facts }: DemoFiles,
  { scopes, baseUrl }: Pick<Journey, 'scopes' | 'baseUrl'>,
): void {
  const curl = `curl --cacert ${quoted(ca)} --cert ${quoted(cert)} --key ${quoted(key)}`;
  print('');
  print(`Private key    ${key}`);
  print(`Certificate    ${cert}`);
  print(`Server's CA    ${ca}`);
  print(`Facts          ${facts}`);
  print('');
  print('Try it yourself:');
  print('');
  for (const path of readablePaths(scopes)) print(`  ${curl} ${quoted(`${baseUrl}${path}`)}`);
  print('');
}

/** The paths that a client with these scopes can read without knowing an identifier. */
function readablePaths(scopes: readonly string[]): string[] {
  return [
    '/capabilities',
    ...(readsIndividualData(scopes) ? ['/sync?limit=10'] : []),
    ...(scopes.includes('statistics.orders.read') ? ['/statistics/orders'] : []),
  ];
}

function readsIndividualData(scopes: readonly string[]): boolean {
  return scopes.includes('orders.read') || scopes.includes('vehicles.read');
}

/** The path in a form that a shell reads as one word. */
function quoted(path: string): string {
  return /^[\w./:-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** The same surprise, with the step before its message and a place to look it up after it. */
function inStep(step: string, error: unknown): Surprise {
  const { status, code, requestId } = error instanceof Surprise ? error.facts : {};
  const facts = [status && `status ${status}`, code && `code ${code}`, requestId && `request ${requestId}`].filter(Boolean).join(', ');
  const message = error instanceof Error ? error.message : String(error);
  return new Surprise(`${step}: ${message}${facts && ` (${facts})`}`, { status, code, requestId });
}
