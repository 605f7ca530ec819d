/**
 * Limits how many commands of each client run at once in this process. The client's other commands wait their turn and hold up nobody else.
 */
export class ClientTurns {
  readonly #most: number;
  readonly #clients = new Map<number, { running: number; readonly waiting: (() => void)[] }>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Does the work when its turn comes, in the order of the calls. The turn ends with the work. */
  async run<Result>(clientNumber: number, work: () => Promise<Result>): Promise<Result> {
    await this.#begin(clientNumber);
    try {
      return await work();
    } finally {
      this.#end(clientNumber);
    }
  }

  async #begin(clientNumber: number): Promise<void> {
    const client = this.#clients.get(clientNumber) ?? { running: 0, waiting: [] };
    this.#clients.set(clientNumber, client);
    if (client.running < this.#most) client.running += 1;
    else await new Promise<void>((resolve) => client.waiting.push(resolve));
  }

  #end(clientNumber: number): void {
    const client = this.#clients.get(clientNumber);
    if (!client) return;
    const next = client.waiting.shift();
    if (next) return next();
    client.running -= 1;
    if (client.running === 0) this.#clients.delete(clientNumber);
  }
}
