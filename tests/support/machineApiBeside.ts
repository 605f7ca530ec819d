import type { KeyObject } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMachineApi } from '../../rest-api/machineApi.ts';
import { ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { testPortalUrl } from './machineApiWorld.ts';
import { MachineClient } from './machineClient.ts';
import type { PortalApplication } from './portalApplication.ts';
import { newKey, type CertificateData, type IntegrationData, type PortalClient } from './portalClient.ts';
import { developmentContact } from '../../server/domain/shared/supportContact.ts';

export type MachineApiBeside = Awaited<ReturnType<typeof startMachineApiBeside>>;

/** The machine API on the database, keys and clock of a portal; certificates come from that portal. */
export async function startMachineApiBeside(application: PortalApplication) {
  const { databaseUrl, keyRing, clock } = application;
  const folder = await mkdtemp(join(tmpdir(), 'svc-machine-'));
  const tls = await ensureDevelopmentTls(folder);
  const logger = createLogger('machine-api', process.env['TEST_LOG_LEVEL'] ?? 'silent');
  const api = await startMachineApi({
    host: '127.0.0.1',
    port: 0,
    databaseUrl,
    keyRing,
    clock,
    logger,
    tls,
    portalUrl: testPortalUrl,
    supportContact: developmentContact,
  });
  const clients: MachineClient[] = [];
  return {
    /** An operator's back end with a certificate that the owner has just requested for the environment. */
    async backEnd(owner: PortalClient, slug: string, environment: 'sandbox' | 'production'): Promise<MachineClient> {
      const key = newKey();
      const certPem = await issuedBundle(application, owner, { slug, environment, key });
      const keyPem = key.export({ format: 'pem', type: 'pkcs8' }).toString();
      const client = new MachineClient({ url: api.url, ca: tls.caPem, certPem, keyPem });
      clients.push(client);
      return client;
    },
    async close(): Promise<void> {
      for (const client of clients) client.close();
      await api.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Requests a certificate with a fresh confirmation, waits for its issuance, and downloads the bundle. */
async function issuedBundle(
  application: PortalApplication,
  owner: PortalClient,
  { slug, environment, key }: { slug: string; environment: string; key: KeyObject },
): Promise<string> {
  const clientOf = async () => {
    const { clients } = await owner.must<IntegrationData>('integration', { slug });
    const client = clients.find((each) => each.environment === environment);
    if (!client) throw new Error(`${slug} has no ${environment} client.`);
    return client;
  };
  const { id, commonName } = await clientOf();
  await owner.confirmFreshly();
  const { data, errors } = await owner.requestCertificate({ clientId: id, commonName }, key);
  if (!data) throw new Error(JSON.stringify(errors));
  await application.work();
  const issued = (await clientOf()).certificatesInUse.find((each: CertificateData) => each.id === data.id);
  return (await owner.fetch(issued?.bundlePath ?? '')).text();
}
