import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../../server/database/freePort.ts';
import { roleUrl } from '../../server/database/roles/loginRoles.ts';
import { type DevelopmentTls, ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';
import { CleanUps } from '../CleanUps.ts';
import { fillCorpus } from '../corpus.ts';
import { environmentOf } from './environmentOf.ts';
import { type DrillClient, Load, type LoadParts } from './load/Load.ts';
import { PostgresPair } from './PostgresPair.ts';
import { database, liftLimits, makeDatabase } from './makeDatabase.ts';
import { makePeople } from './people.ts';
import { type ProcessKind, ServiceProcess } from './ServiceProcess.ts';
import { Haproxy, startPgbouncer } from './shippedBalancers.ts';
import { type Backend, TcpBalancer } from './TcpBalancer.ts';

const clients = 20;
const ordersOfEach = 200;
const users = 200;
const of = ['portal', 'machine-api', 'workers'] as const;
/** How many of each process there are. */
export const each = 2;
/** `--shipped`: HAProxy and PgBouncer, which have to be installed, in place of small balancers. */
const shipped = process.argv.includes('--shipped');
const roleOf = { portal: 'portal', 'machine-api': 'machine_api', workers: 'workers' } as const;

/**
 * An installation as on servers, all of it here: PostgreSQL with TLS, two of each process as they are built, with the variables of production, a
 * balancer in front of the machine API, one that ends TLS in front of the portal, and one that leads to the primary.
 */
export class Installation {
  readonly folder: string;
  readonly postgres: PostgresPair;
  readonly processes: readonly ServiceProcess[];
  readonly #databaseBalancer: TcpBalancer;
  /** How many processes the balancers in front of them find ready. */
  readonly #ledTo: () => Promise<number>;
  readonly #loadParts: LoadParts;
  readonly #cleanUps: CleanUps;

  private constructor(parts: {
    folder: string;
    postgres: PostgresPair;
    processes: readonly ServiceProcess[];
    databaseBalancer: TcpBalancer;
    ledTo: () => Promise<number>;
    loadParts: LoadParts;
    cleanUps: CleanUps;
  }) {
    this.folder = parts.folder;
    this.postgres = parts.postgres;
    this.processes = parts.processes;
    this.#databaseBalancer = parts.databaseBalancer;
    this.#ledTo = parts.ledTo;
    this.#loadParts = parts.loadParts;
    this.#cleanUps = parts.cleanUps;
  }

  /** Installs everything and starts it. `drainSeconds` is each process's DRAIN_SECONDS. */
  static async open({
    standby = false,
    drainSeconds = shipped ? 5 : 3,
  }: { standby?: boolean; drainSeconds?: number } = {}): Promise<Installation> {
    const folder = await mkdtemp(path.join('/tmp', 'operator-integration-drill-'));
    await chmod(folder, 0o755);
    const cleanUps = new CleanUps();
    if (process.env['KEEP_DRILL'] === undefined) cleanUps.add(() => rm(folder, { recursive: true, force: true }));
    try {
      const postgres = await PostgresPair.open(folder);
      cleanUps.add(() => postgres.stop());
      await makeDatabase(postgres);
      const masterKey = randomBytes(32);
      const seed = await fillCorpus(
        postgres.primary.url(database),
        Array.from({ length: clients }, () => ordersOfEach),
      );
      await liftLimits(postgres);
      const people = await makePeople(postgres.primary.url(database), masterKey);
      if (standby) await postgres.addStandby();

      const tls = await ensureDevelopmentTls(path.join(folder, 'tls'));
      const ports = { portal: await findFreePort(), machineApi: await findFreePort() };
      const portalUrl = `https://localhost:${ports.portal}`;
      const machineApiUrl = `https://localhost:${ports.machineApi}`;
      const databaseBalancer = await TcpBalancer.start(0, { backends: databaseBackends(postgres), cutsWhenDown: true, checkEvery: 100 });
      cleanUps.add(async () => databaseBalancer.stop());
      const databaseUrl = new URL(postgres.primary.url(database));
      databaseUrl.port = String(databaseBalancer.port);
      if (shipped) {
        const port = await findFreePort();
        const { caFile } = postgres.primary;
        const ownTls = await ensureDevelopmentTls(path.dirname(caFile));
        cleanUps.add(
          await startPgbouncer({
            folder,
            port,
            behind: databaseBalancer.port,
            superuserUrl: databaseUrl.href,
            database,
            caFile,
            tls: ownTls,
          }),
        );
        databaseUrl.port = String(port);
      }
      // The standby is a copy, with the same certificate.
      databaseUrl.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: postgres.primary.caFile }).toString();
      const rolesUrl = (kind: ProcessKind) => roleUrl(databaseUrl.href, roleOf[kind]);

      const shared = {
        masterKey,
        tlsFolder: path.join(folder, 'tls'),
        portalUrl,
        machineApiUrl,
        drainSeconds,
        folder,
        trustedProxies: shipped ? '127.0.0.1' : 'none',
      };
      const processes: ServiceProcess[] = [];
      const signingKey = randomBytes(32);
      for (const kind of of) {
        for (let number = 1; number <= each; number += 1) {
          const port = await findFreePort();
          const metricsPort = await findFreePort();
          const env = environmentOf(kind, { ...shared, databaseUrl: rolesUrl(kind), port, metricsPort, signingKey });
          processes.push(new ServiceProcess(kind, number, { port, metricsPort, env, folder }));
        }
      }
      cleanUps.add(async () => void (await Promise.all(processes.map((one) => one.stop('SIGKILL')))));
      for (const kind of of) await Promise.all(processes.filter((one) => one.kind === kind).map((one) => one.start()));
      const backendsOf = (kind: ProcessKind): Backend[] =>
        processes.filter((one) => one.kind === kind).map((one) => ({ name: one.name, port: one.port, check: () => one.ready() }));
      let ledTo: () => Promise<number>;
      if (shipped) {
        const haproxy = await Haproxy.start({ folder, tls, ports: { ...ports, plain: await findFreePort() }, processes });
        cleanUps.add(() => haproxy.stop());
        ledTo = () => haproxy.ready();
      } else {
        const portal = await TcpBalancer.start(ports.portal, { backends: backendsOf('portal'), tls });
        const machineApi = await TcpBalancer.start(ports.machineApi, { backends: backendsOf('machine-api'), proxyHeader: true });
        cleanUps.add(async () => [portal, machineApi].forEach((balancer) => balancer.stop()));
        ledTo = async () => portal.up.length + machineApi.up.length;
      }
      const loadParts = await loadPartsOf({ postgres, seed, tls, portalUrl, machineApiUrl, people });
      const installation = new Installation({ folder, postgres, processes, databaseBalancer, ledTo, loadParts, cleanUps });
      await installation.untilLed();
      return installation;
    } catch (error) {
      await cleanUps.run();
      throw error;
    }
  }

  /** For what the owner of the schema does, past the balancer. */
  get ownerUrl(): string {
    return roleUrl(this.postgres.primary.url(database), 'owner');
  }

  /** A load that has not begun. The users' orders are there. */
  async load(): Promise<Load> {
    const load = new Load(this.#loadParts);
    await load.supplyOrders();
    return load;
  }

  /** Resolves when both balancers lead to all processes that run. */
  async untilLed(): Promise<void> {
    const wanted = this.processes.filter(({ kind, pid }) => kind !== 'workers' && pid !== undefined).length;
    for (let look = 0; look < 600; look += 1) {
      if ((await this.#ledTo()) === wanted) return;
      await delay(50);
    }
    throw new Error('The balancers do not find the processes ready.');
  }

  /** The rows of a statement on the database that is the primary now. */
  rows<Row extends object>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    const node = this.#databaseBalancer.up.includes('standby') ? this.postgres.standby : this.postgres.primary;
    return node.rows<Row>(text, parameters, database);
  }

  close(): Promise<void> {
    return this.#cleanUps.run();
  }
}

/** What the load needs to call: the clients' certificates and orders, and the sessions and the token of people and tooling. */
async function loadPartsOf(parts: {
  postgres: PostgresPair;
  seed: Awaited<ReturnType<typeof fillCorpus>>;
  tls: DevelopmentTls;
  portalUrl: string;
  machineApiUrl: string;
  people: Awaited<ReturnType<typeof makePeople>>;
}): Promise<LoadParts> {
  const { postgres, seed, tls, portalUrl, machineApiUrl, people } = parts;
  const rows = await postgres.primary.rows<{ number: number; integration: string; orders: string[] }>(
    `select k.number, k.integration_id as integration, array(select s.id from shared_resource s where s.client_number = k.number limit 50) as orders from client k`,
    [],
    database,
  );
  const known: readonly DrillClient[] = seed.identities.map(({ clientNumber, certPem, keyPem }) => {
    const row = rows.find(({ number }) => number === clientNumber);
    return { certPem, keyPem, integrationId: row?.integration ?? '', orderIds: row?.orders ?? [] };
  });
  const cookieName = `__Host-svc_session_${new URL(portalUrl).port}`;
  const cookies = people.sessions.map((value) => `${cookieName}=${value}`);
  return { portalUrl, machineApiUrl, caPem: tls.caPem, clients: known, cookies, serviceToken: people.serviceToken, users };
}

function databaseBackends({ nodes }: PostgresPair): Backend[] {
  return nodes.map(({ name, node }) => ({ name, port: node.port, check: () => takesWrites(node) }));
}

async function takesWrites(node: PostgresPair['primary']): Promise<boolean> {
  return (await node.ask<{ standby: boolean }>('select pg_is_in_recovery() as standby'))?.standby === false;
}
