import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { dataOf, linkCodeText, optionCodeOf, orderOf, revokeText, spread, upsertText } from './documents.ts';
import { HttpConnections, type Outcome } from './HttpConnections.ts';
import { LoadReport } from './LoadReport.ts';

/** What each second consists of, at the rate of most drills: 50 requests. Where there is nothing to redeem, revoke or acknowledge yet, a sync takes the place. */
const second = {
  sync: 16,
  newConnection: 2,
  order: 9,
  viewer: 10,
  upsert: 1,
  createLinkCode: 4,
  redeem: 4,
  revokeShare: 2,
  acknowledge: 2,
  page: 0,
} as const;
export type Kind = keyof typeof second;
const requestsPerSecond = Object.values<number>(second).reduce((sum, count) => sum + count, 0);

/** A client with its certificate, and what it can read. */
export type DrillClient = {
  readonly certPem: string;
  readonly keyPem: string;
  readonly integrationId: string;
  readonly orderIds: readonly string[];
};

export type LoadParts = {
  readonly portalUrl: string;
  readonly machineApiUrl: string;
  readonly caPem: string;
  readonly clients: readonly DrillClient[];
  /** The Cookie headers of people who have signed in. */
  readonly cookies: readonly string[];
  readonly serviceToken: string;
  /** Users by number, each with an order `order-<number>` of theirs. */
  readonly users: number;
};

/** What was answered with 200, by the ID that the answer gave, to be looked for in the database. */
export type Acknowledged = Readonly<Record<'linkCodes' | 'connections' | 'revocations' | 'deletions' | 'upserts', Set<string>>>;

type Shared = { readonly client: number; readonly id: string };

/** Calls of operators' back ends, people's browsers and the tooling, at a steady pace, whether they are answered or not. */
export class Load {
  readonly report = new LoadReport();
  readonly acknowledged: Acknowledged = {
    linkCodes: new Set(),
    connections: new Set(),
    revocations: new Set(),
    deletions: new Set(),
    upserts: new Set(),
  };
  readonly #parts: LoadParts;
  readonly #backEnds: readonly HttpConnections[];
  readonly #browsers: readonly HttpConnections[];
  readonly #tooling: HttpConnections;
  readonly #etags = new Map<number, string>();
  readonly #codes: Shared[] = [];
  readonly #connections: Shared[] = [];
  readonly #revocations: Shared[] = [];
  readonly #pending = new Set<Promise<void>>();
  readonly #beat: readonly Kind[];
  #count = 0;
  /** Requests a second. */
  rate = requestsPerSecond;
  /** When it was started; null before. */
  startedAt: Date | null = null;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(parts: LoadParts) {
    this.#parts = parts;
    this.#backEnds = parts.clients.map(
      ({ certPem, keyPem }, index) =>
        new HttpConnections(parts.machineApiUrl, { ...parts, certPem, keyPem, localAddress: `127.0.1.${index + 1}`, connections: 2 }),
    );
    this.#browsers = parts.cookies.map(
      (_, index) => new HttpConnections(parts.portalUrl, { ...parts, localAddress: `127.0.2.${index + 1}`, connections: 2 }),
    );
    this.#tooling = new HttpConnections(parts.portalUrl, { ...parts, localAddress: '127.0.3.1', connections: 16 });
    this.#beat = spread(second);
  }

  start(): void {
    this.startedAt = new Date();
    this.#running = this.#run();
  }

  /**
   * So many callers send requests of one kind for so long, each the next when the last is answered, and fewer where there is no more to redeem, revoke or
   * acknowledge. Not while it runs at a pace.
   */
  async insistOn(kind: Kind, { callers, milliseconds }: { callers: number; milliseconds: number }): Promise<void> {
    const end = performance.now() + milliseconds;
    const caller = async () => {
      while (performance.now() < end && this.#hasFor(kind)) await this.#send(kind);
    };
    await Promise.all(Array.from({ length: callers }, caller));
  }

  #hasFor(kind: Kind): boolean {
    const queues: Partial<Record<Kind, readonly Shared[]>> = {
      redeem: this.#codes,
      revokeShare: this.#connections,
      acknowledge: this.#revocations,
    };
    return (queues[kind]?.length ?? 1) > 0;
  }

  /** How many requests are not answered yet. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Begins nothing more, and waits for what is on its way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    await Promise.all(this.#pending);
    for (const connections of [...this.#backEnds, ...this.#browsers, this.#tooling]) connections.close();
  }

  async #run(): Promise<void> {
    let next = performance.now();
    for (let tick = 0; !this.#stopped; tick += 1) {
      await delay(Math.max(0, next - performance.now()));
      next += 1_000 / this.rate;
      const doing = this.#send(this.#beat[tick % this.#beat.length] ?? 'sync');
      this.#pending.add(doing);
      void doing.finally(() => this.#pending.delete(doing));
    }
  }

  async #send(wanted: Kind): Promise<void> {
    this.#count += 1;
    const number = this.#count;
    const { kind, work } = this.#work(wanted, number);
    const began = performance.now();
    this.report.add(kind, began, await work);
  }

  #work(wanted: Kind, number: number): { kind: Kind; work: Promise<Outcome> } {
    const client = number % this.#parts.clients.length;
    if (wanted === 'redeem') {
      const code = this.#codes.shift();
      if (code) return { kind: wanted, work: this.#redeem(code) };
    } else if (wanted === 'revokeShare') {
      const connection = this.#connections.shift();
      if (connection) return { kind: wanted, work: this.#revoke(connection) };
    } else if (wanted === 'acknowledge') {
      const revocation = this.#revocations.shift();
      if (revocation) return { kind: wanted, work: this.#acknowledge(revocation) };
    } else if (wanted === 'page') return { kind: wanted, work: this.#machine(client).send('/v1/sync?limit=500') };
    else if (wanted === 'newConnection') return { kind: wanted, work: this.#machine(client).send('/v1/capabilities', { alone: true }) };
    else if (wanted === 'order') return { kind: wanted, work: this.#order(client, number) };
    else if (wanted === 'viewer') return { kind: wanted, work: this.#viewer(number) };
    else if (wanted === 'upsert') return { kind: wanted, work: this.#upsert(number) };
    else if (wanted === 'createLinkCode') return { kind: wanted, work: this.#createLinkCode(client, number) };
    return { kind: 'sync', work: this.#sync(client) };
  }

  async #sync(client: number): Promise<Outcome> {
    const etag = this.#etags.get(client);
    const outcome = await this.#machine(client).send('/v1/sync?limit=50', { headers: etag === undefined ? {} : { 'if-none-match': etag } });
    if (outcome.status === 200) this.#etags.set(client, outcome.headers.etag ?? '');
    return outcome;
  }

  #order(client: number, number: number): Promise<Outcome> {
    const orders = this.#parts.clients[client]?.orderIds ?? [];
    return this.#machine(client).send(`/v1/orders/${orders[number % orders.length]}`);
  }

  #viewer(number: number): Promise<Outcome> {
    const person = number % this.#parts.cookies.length;
    const browser = this.#browsers[person];
    if (!browser) throw new Error('There is nobody who has signed in.');
    const headers = { cookie: this.#parts.cookies[person] ?? '', origin: this.#parts.portalUrl };
    return browser.send('/graphql', { method: 'POST', headers, body: { query: '{ viewer { email roles } }' } });
  }

  async #upsert(number: number): Promise<Outcome> {
    const code = optionCodeOf(number);
    const resource = orderOf(`load-${number}`, number % this.#parts.users, code);
    const outcome = await this.#tool(upsertText, { resources: [resource] });
    if (dataOf(outcome, 'upsertTrackedResources')) this.acknowledged.upserts.add(code);
    return outcome;
  }

  async #createLinkCode(client: number, number: number): Promise<Outcome> {
    const user = number % this.#parts.users;
    const integrationId = this.#parts.clients[client]?.integrationId;
    const input = {
      integrationId,
      user: `user-${user}`,
      orders: [`order-${user}`],
      vehicles: [],
      scopes: ['orders.read'],
      statisticsOptedIn: false,
    };
    const outcome = await this.#tool(linkCodeText, input);
    const { id, code } = dataOf(outcome, 'createLinkCode') ?? {};
    if (id !== undefined && code !== undefined) {
      this.acknowledged.linkCodes.add(id);
      this.#codes.push({ client, id: code });
    }
    return outcome;
  }

  async #redeem({ client, id: code }: Shared): Promise<Outcome> {
    const outcome = await this.#machine(client).send('/v1/link-codes/redeem', { method: 'POST', body: { code } });
    if (outcome.status === 200) {
      const { connection_id: id } = outcome.body as { connection_id: string };
      this.acknowledged.connections.add(id);
      this.#connections.push({ client, id });
    }
    return outcome;
  }

  async #revoke({ client, id }: Shared): Promise<Outcome> {
    const outcome = await this.#tool(revokeText, { connectionId: id });
    const { revocationId } = dataOf(outcome, 'revokeShare') ?? {};
    if (revocationId !== undefined) {
      this.acknowledged.revocations.add(revocationId);
      this.#revocations.push({ client, id: revocationId });
    }
    return outcome;
  }

  async #acknowledge({ client, id }: Shared): Promise<Outcome> {
    const headers = { 'idempotency-key': id };
    const outcome = await this.#machine(client).send(`/v1/revocations/${id}/ack`, {
      method: 'POST',
      headers,
      body: { deletion_completed: true },
    });
    if (outcome.status === 200) this.acknowledged.deletions.add(id);
    return outcome;
  }

  #machine(client: number): HttpConnections {
    const connections = this.#backEnds[client];
    if (!connections) throw new Error('There is no such client.');
    return connections;
  }

  /** A call of the order-tracking service's tooling. */
  #tool(query: string, input: object): Promise<Outcome> {
    const headers = { authorization: `Bearer ${this.#parts.serviceToken}` };
    return this.#tooling.send('/graphql', { method: 'POST', headers, body: { query, variables: { input } } });
  }

  /** Gives each user an order, before the load begins. */
  async supplyOrders(): Promise<void> {
    const resources = Array.from({ length: this.#parts.users }, (_, user) => orderOf(`order-${user}`, user, 'SEED'));
    const outcome = await this.#tool(upsertText, { resources });
    if (!dataOf(outcome, 'upsertTrackedResources')) throw new Error(`The orders were not accepted: ${JSON.stringify(outcome)}`);
  }
}
