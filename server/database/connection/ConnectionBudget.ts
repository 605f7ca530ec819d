import type { ConnectionName } from './connectionUses.ts';

/** What a connection in a budget is doing. */
type Phase = 'opening' | 'open' | 'closing';

type Waiting = { readonly connection: object; readonly admit: () => void };

const budgets = new Set<ConnectionBudget>();

/**
 * How many connections may exist at a time, and which do. One exists for as long as its socket: PostgreSQL holds a session for it from the moment it
 * accepts it until it has seen its end, so those that are being made or ended count as well.
 */
export class ConnectionBudget {
  readonly name: ConnectionName;
  readonly most: number;
  readonly #phases = new Map<object, Phase>();
  readonly #waiting: Waiting[] = [];

  constructor(name: ConnectionName, most: number) {
    this.name = name;
    this.most = most;
  }

  /** How many there are in each phase. */
  count(): Readonly<Record<Phase, number>> {
    const counted = { opening: 0, open: 0, closing: 0 };
    for (const phase of this.#phases.values()) counted[phase] += 1;
    return counted;
  }

  /** Resolves when there is room for this connection, in the order of the calls. Rejects if there is none within the time (in milliseconds). */
  async take(connection: object, withinMs: number): Promise<void> {
    budgets.add(this);
    if (this.#phases.size >= this.most) await this.#room(connection, withinMs);
    this.#phases.set(connection, 'opening');
  }

  connected(connection: object): void {
    if (this.#phases.get(connection) === 'opening') this.#phases.set(connection, 'open');
  }

  ending(connection: object): void {
    if (this.#phases.has(connection)) this.#phases.set(connection, 'closing');
  }

  /** The connection is no more. */
  giveBack(connection: object): void {
    if (!this.#phases.delete(connection)) return;
    const next = this.#waiting.shift();
    if (next) {
      // Taken for it at once, so that nobody comes between.
      this.#phases.set(next.connection, 'opening');
      next.admit();
    }
    if (this.#phases.size === 0) budgets.delete(this);
  }

  #room(connection: object, withinMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        connection,
        admit: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(new Error('timeout expired'));
      }, withinMs);
      this.#waiting.push(waiting);
    });
  }
}

/** All budgets in which there are connections now. */
export function budgetsInUse(): ReadonlySet<ConnectionBudget> {
  return budgets;
}
