/**
 * How many connections may be open at once, and how many of them may still be arriving, which means that they have not asked for anything.
 */
type ConnectionBounds = {
  readonly all: number;
  readonly perAddress: number;
  readonly arriving: number;
  readonly arrivingPerAddress: number;
};

/** The state of a connection: it has not asked for anything yet, we are waiting for its next bytes, or it is waiting for us. */
type Phase = 'arriving' | 'waiting' | 'working';

/** An open connection in the table. */
export type Entry = {
  readonly close: () => void;
  /** The address that it counts for. It is null for one of our own proxies or balancers, and then it counts for everybody. */
  address: string | null;
  phase: Phase;
};

/** Connections by phase, each phase in the order in which they entered it. */
class Pool {
  readonly arriving = new Set<Entry>();
  readonly waiting = new Set<Entry>();
  readonly working = new Set<Entry>();

  get size(): number {
    return this.arriving.size + this.waiting.size + this.working.size;
  }

  /**
   * Which connection is closed first when room is needed: the oldest that has never asked for anything, then the one that has kept us
   * waiting longest. If all are being served, it is the one that is taking longest, whose caller is nearly always not reading the answer.
   */
  get first(): Entry | undefined {
    const [arriving] = this.arriving;
    const [waiting] = this.waiting;
    const [working] = this.working;
    return arriving ?? waiting ?? working;
  }
}

/**
 * The open connections of one server. A newcomer is always let in. If that exceeds a bound, another connection is closed for it: one of the
 * same address first, and one that is being served last. So anybody who opens many connections displaces their own, and no one can use up
 * what others need just by holding it.
 */
export class ConnectionTable {
  readonly #bounds: ConnectionBounds;
  readonly #displaced: () => void;
  readonly #all = new Pool();
  readonly #byAddress = new Map<string, Pool>();

  /** `displaced` is called for each connection that is closed for a newcomer. */
  constructor(bounds: ConnectionBounds, displaced: () => void = () => {}) {
    this.#bounds = bounds;
    this.#displaced = displaced;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Takes in a new connection. `close` is called, once, if it has to make room for another. */
  add(address: string | null, close: () => void): Entry {
    const { all, arriving } = this.#bounds;
    this.#makeRoomFor(address);
    if (this.#all.arriving.size >= arriving || this.#all.size >= all) this.#displace(this.#all);
    const entry: Entry = { close, address, phase: 'arriving' };
    for (const pool of this.#poolsOf(entry)) pool.arriving.add(entry);
    return entry;
  }

  /** Counts a connection that has not asked for anything yet for this address, which was not known before. It may displace one of the same address. */
  claim(entry: Entry, address: string): void {
    if (!this.#all.arriving.has(entry)) return;
    this.#makeRoomFor(address);
    entry.address = address;
    for (const pool of this.#poolsOf(entry)) pool.arriving.add(entry);
  }

  /** Records the phase that a connection is in now. Entering the same phase again puts it at the end of that phase's order. */
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

  /** Closes every connection for which a condition holds. */
  closeAll(condition: (entry: Entry) => boolean): void {
    const { arriving, waiting, working } = this.#all;
    for (const entry of [...arriving, ...waiting, ...working]) if (condition(entry)) entry.close();
  }

  #makeRoomFor(address: string | null): void {
    const { perAddress, arrivingPerAddress } = this.#bounds;
    const own = address === null ? undefined : this.#byAddress.get(address);
    if (own && (own.arriving.size >= arrivingPerAddress || own.size >= perAddress)) this.#displace(own);
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
