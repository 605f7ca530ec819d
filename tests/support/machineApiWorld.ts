import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMachineApi, type MachineApi, type MachineApiDependencies } from '../../rest-api/machineApi.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { KeyRing } from '../../server/database/keyRing.ts';
import { createOrm, type Orm } from '../../server/database/orm.ts';
import type { Clock } from '../../server/domain/shared/clock.ts';
import { ensureDevelopmentTls, type DevelopmentTls } from '../../server/platform/developmentTls.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { Fixtures, type TestAuthority, type TestCertificate, type TestClient } from './fixtures.ts';
import { MachineClient, type MachineClientOptions } from './machineClient.ts';
import { createTestDatabase } from './testDatabase.ts';
import { developmentContact } from '../../server/domain/shared/supportContact.ts';

/** A clock that a test moves; it runs from the moment it is made. */
export class TestClock implements Clock {
  offsetMs = 0;
  frozenAt: Date | undefined;

  now(): Date {
    return new Date((this.frozenAt?.getTime() ?? Date.now()) + this.offsetMs);
  }

  advance(milliseconds: number): void {
    this.offsetMs += milliseconds;
  }
}

export const testPortalUrl = 'http://localhost:3000';

/** A machine API on a database of its own, with an authority; what is opened through it is closed by `close`. */
export class MachineApiWorld {
  readonly fixtures: Fixtures;
  readonly authority: TestAuthority;
  readonly clock: TestClock;
  readonly api: MachineApi;
  readonly tls: DevelopmentTls;
  readonly keyRing: KeyRing;
  readonly #databaseUrl: string;
  readonly #cleanUps: (() => unknown)[];
  #orm: Promise<Orm> | undefined;

  private constructor(parts: {
    fixtures: Fixtures;
    authority: TestAuthority;
    clock: TestClock;
    api: MachineApi;
    tls: DevelopmentTls;
    databaseUrl: string;
    keyRing: KeyRing;
    cleanUps: (() => unknown)[];
  }) {
    this.fixtures = parts.fixtures;
    this.authority = parts.authority;
    this.clock = parts.clock;
    this.api = parts.api;
    this.tls = parts.tls;
    this.#databaseUrl = parts.databaseUrl;
    this.keyRing = parts.keyRing;
    this.#cleanUps = parts.cleanUps;
  }

  /** `databaseUrl`: a migrated database to use instead of a clone of the template. */
  static async open({
    databaseUrl,
    ...options
  }: { databaseUrl?: string } & Partial<MachineApiDependencies> = {}): Promise<MachineApiWorld> {
    const cleanUps: (() => unknown)[] = [];
    let url = databaseUrl;
    if (url === undefined) {
      const database = await createTestDatabase();
      cleanUps.push(() => database.drop());
      url = database.url;
    }
    const folder = await mkdtemp(join(tmpdir(), 'machine-api-'));
    cleanUps.push(() => rm(folder, { recursive: true, force: true }));
    const tls = await ensureDevelopmentTls(folder);
    const fixtures = new Fixtures(url);
    cleanUps.push(() => fixtures.end());
    const authority = await fixtures.authorities();
    const clock = new TestClock();
    const keyRing = Object.fromEntries(
      ['session', 'verification_link', 'lookup', 'cursor'].map((purpose) => [purpose, randomBytes(32)]),
    ) as KeyRing;
    const api = await startMachineApi(dependenciesOf({ tls, databaseUrl: url, keyRing, clock }, options));
    cleanUps.push(() => api.close());
    return new MachineApiWorld({ fixtures, authority, clock, api, tls, databaseUrl: url, keyRing, cleanUps });
  }

  /** Another process's machine API on the same database: pools and memory of its own. */
  async secondApi(options: Partial<MachineApiDependencies> = {}): Promise<MachineApi> {
    const api = await startMachineApi(
      dependenciesOf({ tls: this.tls, databaseUrl: this.#databaseUrl, keyRing: this.keyRing, clock: this.clock }, options),
    );
    this.#cleanUps.push(() => api.close());
    return api;
  }

  /** A manager for commands of the domain on the same database. */
  async em(): Promise<EntityManager> {
    if (!this.#orm) {
      this.#orm = createOrm(this.#databaseUrl, { poolMax: 4 });
      this.#cleanUps.push(async () => (await this.#orm)?.close(true));
    }
    return (await this.#orm).em.fork();
  }

  /** A client with a certificate on record and connections that present it. */
  async operator(
    options: Parameters<Fixtures['client']>[0] = {},
  ): Promise<{ client: TestClient; certificate: TestCertificate; machine: MachineClient }> {
    const client = await this.fixtures.client(options);
    const certificate = await this.fixtures.certificate(this.authority, client);
    return { client, certificate, machine: this.connect(certificate) };
  }

  /** Connections that present this certificate, or none. */
  connect(
    certificate?: { certPem: string; keyPem: string },
    api: MachineApi = this.api,
    options: Pick<MachineClientOptions, 'localAddress'> = {},
  ): MachineClient {
    const machine = new MachineClient({
      url: api.url,
      ca: this.tls.caPem,
      ...options,
      ...(certificate && { certPem: certificate.certPem, keyPem: certificate.keyPem }),
    });
    this.#cleanUps.push(() => machine.close());
    return machine;
  }

  async close(): Promise<void> {
    for (const cleanUp of this.#cleanUps.toReversed()) await cleanUp();
  }
}

type Parts = { tls: DevelopmentTls; databaseUrl: string; keyRing: KeyRing; clock: TestClock };

function dependenciesOf({ tls, databaseUrl, keyRing, clock }: Parts, options: Partial<MachineApiDependencies>): MachineApiDependencies {
  const logger = createLogger('machine-api', process.env['TEST_LOG_LEVEL'] ?? 'silent');
  return {
    host: '127.0.0.1',
    port: 0,
    databaseUrl,
    keyRing,
    logger,
    clock,
    tls,
    portalUrl: testPortalUrl,
    supportContact: developmentContact,
    unauthenticatedRequestsPerMinute: 1_000,
    ...options,
  };
}
