/** The deliveries that this process has read and whose results are not stored yet, by endpoint. Nobody reads them again before that. */
export class ClaimedDeliveries {
  readonly #byEndpoint = new Map<number, Set<number>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Claims a delivery. Returns false if it was claimed already. */
  claim(endpointNumber: number, number: number): boolean {
    let held = this.#byEndpoint.get(endpointNumber);
    if (!held) this.#byEndpoint.set(endpointNumber, (held = new Set()));
    if (held.has(number)) return false;
    held.add(number);
    this.#size += 1;
    return true;
  }

  release(endpointNumber: number, number: number): void {
    const held = this.#byEndpoint.get(endpointNumber);
    if (!held?.delete(number)) return;
    this.#size -= 1;
    if (held.size === 0) this.#byEndpoint.delete(endpointNumber);
  }

  of(endpointNumber: number): Iterable<number> {
    return this.#byEndpoint.get(endpointNumber) ?? [];
  }

  *all(): Iterable<number> {
    for (const held of this.#byEndpoint.values()) yield* held;
  }
}
