import { startMachineApi } from '../../../rest-api/machineApi.ts';
import { developmentContact } from '../../../server/domain/shared/supportContact.ts';
import type { DevelopmentTls } from '../../../server/platform/developmentTls.ts';
import { createLogger } from '../../../server/platform/logger.ts';
import { MachineClient, type MachineClientOptions } from '../clients/machineClient.ts';
import type { Fixtures, TestAuthority, TestCertificate, TestClient } from './Fixtures.ts';
import type { World } from './World.ts';

export const testPortalUrl = 'http://localhost:3000';

export type Machine = Awaited<ReturnType<typeof startMachine>>;
export type MachineApi = Awaited<ReturnType<typeof startMachineApi>>;
export type MachineOptions = Partial<Parameters<typeof startMachineApi>[0]>;

/** What a world with a machine API has: the authority whose certificates it accepts, and connections. */
export async function startMachine(
  world: World,
  { tls, authority, ...options }: MachineOptions & { readonly tls: DevelopmentTls; readonly authority: TestAuthority },
) {
  const { urls, keyRing, clock, fixtures } = world;
  const start = async (given: MachineOptions = {}): Promise<MachineApi> => {
    const started = await startMachineApi({
      host: '127.0.0.1',
      port: 0,
      databaseUrl: urls.machineApi,
      keyRing,
      logger: createLogger('machine-api', process.env['TEST_LOG_LEVEL'] ?? 'silent'),
      clock,
      tls,
      portalUrl: testPortalUrl,
      supportContact: developmentContact,
      unauthenticatedRequestsPerMinute: 1_000,
      ...given,
    });
    world.onClose(() => started.close());
    return started;
  };
  const api = await start(options);

  /** Connections that present this certificate, or none. */
  function connect(
    certificate?: { certPem: string; keyPem: string },
    to: MachineApi = api,
    { localAddress }: Pick<MachineClientOptions, 'localAddress'> = {},
  ): MachineClient {
    const machine = new MachineClient({
      url: to.url,
      ca: tls.caPem,
      ...(localAddress !== undefined && { localAddress }),
      ...(certificate && { certPem: certificate.certPem, keyPem: certificate.keyPem }),
    });
    world.onClose(() => machine.close());
    return machine;
  }

  return {
    api,
    machineApiUrl: api.url,
    machineApiCa: tls.caPem,
    tls,
    authority,
    /** The machine API of another process on the same database, with pools and memory of its own. */
    secondApi: start,
    connect,
    /** A client with a certificate on record and connections that present it. */
    async backEnd(
      client: Parameters<Fixtures['client']>[0] = {},
    ): Promise<{ client: TestClient; certificate: TestCertificate; machine: MachineClient }> {
      const made = await fixtures.client(client);
      const certificate = await fixtures.certificate(authority, made);
      return { client: made, certificate, machine: connect(certificate) };
    },
  };
}
