import { z } from 'zod';
import { MachineApiClient } from './MachineApiClient.ts';
import { Steps } from '../Steps.ts';
import { Surprise } from '../Surprise.ts';
import { checkCrl } from './checkCrl.ts';
import { checkKeySet, checkReady } from './portalChecks.ts';
import { followFeed } from './followFeed.ts';

export type SmokeOptions = {
  /** The origin of the machine API. */
  readonly api: string;
  /** The client's certificate with its chain and its key, in PEM. */
  readonly cert: string;
  readonly key: string;
  /** The authority of the server's certificate. Absent if the machine trusts it already. */
  readonly ca?: string;
  /** The origin of the portal. Without it, the portal is asked for nothing but the revocation list that the certificate names. */
  readonly portal?: string;
  /** How many pages of the feed to read at most. */
  readonly pages: number;
  readonly now: Date;
  readonly print: (line: string) => void;
};

const capabilities = z.looseObject({
  environment: z.enum(['sandbox', 'production']),
  integration_status: z.string(),
  scopes: z.array(z.string()),
  production_data_enabled: z.boolean(),
  certificate: z.looseObject({ id: z.string(), expires_at: z.string() }),
});
type Capabilities = z.infer<typeof capabilities>;
const statistics = z.looseObject({ generation_id: z.string(), groups: z.array(z.unknown()) });

/**
 * Asks a running service, also in production, for what one client's certificate can see, without a mailbox and without changing anything. What the
 * client may not see must be refused as it should be. Throws a Surprise, which names the step, at anything else.
 */
export async function runSmoke(options: SmokeOptions): Promise<void> {
  const { api, portal, now, print } = options;
  const steps = new Steps(print);
  const note = (text: string) => steps.note(text);
  const client = new MachineApiClient(`${api}/v1`, {
    cert: options.cert,
    key: options.key,
    note,
    ...(options.ca !== undefined && { ca: options.ca }),
  });
  try {
    if (portal !== undefined) {
      await steps.run(
        'The portal is ready',
        () => checkReady(portal),
        (words) => words,
      );
      await steps.run(
        'Its keys of signed deliveries',
        () => checkKeySet(portal),
        (words) => words,
      );
    }
    await steps.run(
      'The revocation list',
      () => checkCrl(options.cert, now),
      (words) => words,
    );
    await steps.run(
      'A call without a certificate',
      () => refuseStrangers(options),
      () => '401 client_certificate_required',
    );
    const known = await steps.run(
      'Read the capabilities',
      async () => (await client.read('/capabilities', capabilities, { conditional: false })).body,
      (facts) => describe(facts, now),
    );
    await steps.run(
      'Sync',
      () => sync(client, known, options.pages),
      (words) => words,
    );
    await steps.run(
      'Read the statistics',
      () => readStatistics(client, known),
      (words) => words,
    );
    print(`\nAll is well. ${client.counted} requests counted towards the quota of this client.`);
  } catch (error) {
    const { status, code, requestId } = error instanceof Surprise ? error.facts : {};
    const facts = [status && `status ${status}`, code && `code ${code}`, requestId && `request ${requestId}`].filter(Boolean).join(', ');
    throw new Surprise(`${steps.running}: ${error instanceof Error ? error.message : String(error)}${facts && ` (${facts})`}`);
  } finally {
    client.close();
  }
}

/** Anyone who has no certificate gets the problem that says so. It does not count towards anybody's quota. */
async function refuseStrangers({ api, ca }: SmokeOptions): Promise<void> {
  const stranger = new MachineApiClient(`${api}/v1`, { note: () => {}, ...(ca !== undefined && { ca }) });
  try {
    await stranger.expectRefusal('/capabilities', { status: 401, code: 'client_certificate_required' }, z.unknown());
  } finally {
    stranger.close();
  }
}

function describe({ environment, integration_status: status, certificate }: Capabilities, now: Date): string {
  const days = Math.floor((Date.parse(certificate.expires_at) - now.getTime()) / 86_400_000);
  return `${environment}, integration ${status}, the certificate is good for ${days} more days`;
}

/** What keeps this client from data with one of these scopes, as the machine API checks it; null if nothing does. */
function hindrance({ environment, production_data_enabled: enabled, scopes }: Capabilities, wanted: readonly string[]) {
  if (!wanted.some((scope) => scopes.includes(scope))) return { status: 403, code: 'scope_required' };
  if (environment === 'production' && !enabled) return { status: 403, code: 'production_data_disabled' };
  return null;
}

/** Follows the feed and asks for its end again, or gets the refusal that the capabilities have announced. */
async function sync(client: MachineApiClient, known: Capabilities, pages: number): Promise<string> {
  const refusal = hindrance(known, ['orders.read', 'vehicles.read']);
  if (refusal === null) return followFeed(client, pages);
  await client.expectRefusal('/sync', refusal, z.unknown());
  return `${refusal.status} ${refusal.code}, as it should be`;
}

async function readStatistics(client: MachineApiClient, known: Capabilities): Promise<string> {
  const refusal = hindrance(known, ['statistics.orders.read']);
  if (refusal !== null) {
    await client.expectRefusal('/statistics/orders', refusal, z.unknown());
    return `${refusal.status} ${refusal.code}, as it should be`;
  }
  try {
    const { body } = await client.read('/statistics/orders', statistics);
    return `${body.groups.length} groups`;
  } catch (error) {
    if (!(error instanceof Surprise) || error.facts.code !== 'not_found') throw error;
    return 'none published yet';
  }
}
