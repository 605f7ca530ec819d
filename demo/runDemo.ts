import { resolve } from 'node:path';
import { OperatorClient, pemFiles } from '../kit/src/index.ts';
import { becomeOperator, findService, type Journey } from './becomeOperator.ts';
import type { DemoFiles } from './demoFiles.ts';
import type { DemoIntegration } from './integration.ts';
import { PortalClient } from './PortalClient.ts';
import { claimAndRevokeP12 } from './p12.ts';
import { notingWaits } from './notingWaits.ts';
import { shareAndRevoke } from './shareAndRevoke.ts';
import { Steps } from './Steps.ts';
import {
  expectRefusal,
  expectUnchanged,
  type FirstSync,
  readCapabilities,
  readDetail,
  readStatistics,
  summary,
  SyncedCopy,
  syncEverything,
} from './syncedCopy.ts';
import { Surprise } from './Surprise.ts';
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
    const synced = await useMachineApi(journey, integration, { files, ca: credentials.ca });
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

/**
 * The steps at the machine API, by the operators' kit: who am I, everything once, nothing new, single resources; then a share from its link
 * code to the acknowledged deletion; then statistics. They take at most 17 requests of the 20 a minute.
 */
async function useMachineApi(
  { portal, steps, scopes, baseUrl }: Journey,
  integration: DemoIntegration,
  { files, ca }: { files: DemoFiles; ca: string },
): Promise<FirstSync | null> {
  const { id, clientId } = integration;
  const expect = { environment: 'sandbox' } as const;
  const client = new OperatorClient({ baseUrl, credentials: pemFiles(files), ca, expect, time: notingWaits(steps) });
  let synced: FirstSync | null = null;
  try {
    await steps.run(
      'Read the capabilities',
      () => readCapabilities(client, { integrationId: id, clientId, scopes }),
      ({ environment, quotas }) => `${environment}, ${quotas.requests_per_minute} requests a minute`,
    );
    if (readsIndividualData(scopes)) synced = await readAndShare({ portal, steps, scopes }, integration, client);
    else {
      await steps.run(
        'Try to sync',
        () => expectRefusal(client.page(), { status: 403, code: 'scope_required' }),
        () => '403 scope_required: these scopes give no access to individual data',
      );
    }
    if (scopes.includes('statistics.orders.read')) {
      await steps.run(
        'Read the statistics',
        () => readStatistics(client),
        ({ groups, minimum_group_size: smallest }) => `${groups.length} groups, each of at least ${smallest} users`,
      );
    }
    return synced;
  } finally {
    client.close();
  }
}

/** Follows the whole feed, reads single resources, and takes a share from its link code to its end. */
async function readAndShare(
  { portal, steps, scopes }: Omit<Journey, 'baseUrl'>,
  integration: DemoIntegration,
  client: OperatorClient,
): Promise<FirstSync> {
  const copy = new SyncedCopy(client);
  const data = await steps.run(
    'Sync to the end',
    () => syncEverything(copy, scopes),
    (synced) => `${summary(synced)} in ${synced.pages} ${synced.pages === 1 ? 'page' : 'pages'}`,
  );
  await steps.run(
    'Ask again with If-None-Match',
    () => expectUnchanged(copy),
    () => '304, nothing new',
  );
  for (const resource of [data.orders[0], data.vehicles[0]]) {
    if (!resource) continue;
    await steps.run(
      `Read one ${resource.type}`,
      () => readDetail(client, resource),
      (words) => words,
    );
  }
  await shareAndRevoke({ portal, client, copy, steps, scopes, integration });
  return data;
}

function printNext(
  print: (line: string) => void,
  { key, cert, ca, facts }: DemoFiles,
  { scopes, baseUrl }: Pick<Journey, 'scopes' | 'baseUrl'>,
): void {
  const curl = `curl -sS --cacert ${quoted(ca)} --cert ${quoted(cert)} --key ${quoted(key)}`;
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

/** The same surprise, with the step before its message and a place to look it up after it. What the kit throws says where itself. */
function inStep(step: string, error: unknown): Surprise {
  const { status, code, requestId } = error instanceof Surprise ? error.facts : {};
  const facts = [status && `status ${status}`, code && `code ${code}`, requestId && `request ${requestId}`].filter(Boolean).join(', ');
  const message = error instanceof Error ? error.message : String(error);
  return new Surprise(`${step}: ${message}${facts && ` (${facts})`}`, { status, code, requestId });
}
