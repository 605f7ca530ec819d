/** How many connections may be open at once, and how many of them may still be arriving. */
export type ConnectionBounds = {
  readonly all: number;
  readonly perAddress: number;
  readonly arriving: number;
  readonly arrivingPerAddress: number;
};

/** What a connection does: it has not asked for anything yet, we wait for its next bytes, or it waits for us. */
type Phase = 'arriving' | 'waiting' | 'working';

/** An open connection in its table. */
export type Entry = {
  readonly close: () => void;
  /** The address that it counts for; null for one of our own balancers, whose connections are everybody's. */
  readonly address: string | null;
  phase: Phase;
};

/** Connections by phase, each in the order in which they came to it. */
class Pool {
  readonly arriving = new Set<Entry>();
  readonly waiting = new Set<Entry>();
  readonly working = new Set<Entry>();

  get size(): number {
    return this.arriving.size + this.waiting.size + this.working.size;
  }

  /**
   * Who is closed first when room is needed: the oldest that never asked for anything, then who has kept us waiting longest. Where all
   * are being served it is the one that takes longest, which is nearly always somebody who does not read the answer.
   */
  get first(): Entry | undefined {
    const [arriving] = this.arriving;
    const [waiting] = this.waiting;
    const [working] = this.working;
    return arriving ?? waiting ?? working;
  }
}

/**
 * The open connections of one server. A newcomer is always let in; beyond a bound another connection is closed for it, first of the same
 * address, and one that is being served last. So whoever opens many pushes out their own, and nobody can use up what others need by
 * merely holding it.
 */
export class ConnectionTable {
  readonly #bounds: ConnectionBounds;
  readonly #displaced: () => void;
  readonly #all = new Pool();
  readonly #byAddress = new Map<string, Pool>();

  /** `displaced` is told of each connection that is closed for a newcomer. */
  constructor(bounds: ConnectionBounds, displaced: () => void = () => {}) {
    this.#bounds = bounds;
    this.#displaced = displaced;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Takes a new connection in. `close` is called, once, where it has to make room for another. */
  add(address: string | null, close: () => void): Entry {
    const { all, perAddress, arriving, arrivingPerAddress } = this.#bounds;
    const own = address === null ? undefined : this.#byAddress.get(address);
    if (own && (own.arriving.size >= arrivingPerAddress || own.size >= perAddress)) this.#displace(own);
    if (this.#all.arriving.size >= arriving || this.#all.size >= all) this.#displace(this.#all);
    const entry: Entry = { close, address, phase: 'arriving' };
    for (const pool of this.#poolsOf(entry)) pool.arriving.add(entry);
    return entry;
  }

  /** Notes what a connection does now; the same phase again puts it at the end of its row. */
  move(entry: Entry, phase: Phase): void {
    if (!this.#all[entry.phase].has(entry)) return;
    for (const pool of this.#poolsOf(entry)) {
      pool[entry.phase].delete(entry);
      pool[phase].add(entry);
    }
    entry.phase = phase;
  }

  remove(entry: Entry): void {
    for (const pool of this.#poolsOf(entry)) pool[entry.phase].delete(entry);
    if (entry.address !== null && this.#byAddress.get(entry.address)?.size === 0) this.#byAddress.delete(entry.address);
  }

  /** Closes the connections that a condition holds for. */
  closeAll(condition: (entry: Entry) => boolean): void {
    const { arriving, waiting, working } = this.#all;
    for (const entry of [...arriving, ...waiting, ...working]) if (condition(entry)) entry.close();
  }

  #displace(pool: Pool): void {
    const entry = pool.first;
    if (!entry) return;
    this.remove(entry);
    entry.close();
    this.#displaced();
  }

  #poolsOf({ address }: Entry): Pool[] {
    if (address === null) return [this.#all];
    let own = this.#byAddress.get(address);
    if (!own) this.#byAddress.set(address, (own = new Pool()));
    return [this.#all, own];
  }
}
