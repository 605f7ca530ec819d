/** The deliveries that this process has read and whose results are not stored yet, by endpoint. Nobody reads them again before that. */
export class ClaimedDeliveries {
  readonly #byEndpoint = new Map<number, Set<number>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Claims a delivery. Returns false if it was claimed already. */
  claim(endpointNo: number, no: number): boolean {
    let held = this.#byEndpoint.get(endpointNo);
    if (!held) this.#byEndpoint.set(endpointNo, (held = new Set()));
    if (held.has(no)) return false;
    held.add(no);
    this.#size += 1;
    return true;
  }

  release(endpointNo: number, no: number): void {
    const held = this.#byEndpoint.get(endpointNo);
    if (!held?.delete(no)) return;
    this.#size -= 1;
    if (held.size === 0) this.#byEndpoint.delete(endpointNo);
  }

  of(endpointNo: number): Iterable<number> {
    return this.#byEndpoint.get(endpointNo) ?? [];
  }

  *all(): Iterable<number> {
    for (const held of this.#byEndpoint.values()) yield* held;
  }
}
