type OnMessage = (type: number, bytes: Buffer, from: number, to: number) => void;

const headerBytes = 5;

/**
 * Cuts a stream into PostgreSQL's messages: type (1 byte), length (4 bytes, counting themselves), body. A body is passed on in place, in
 * the bytes that were received; only a message that continues in the next chunk is copied. The receiver may use the bytes only during the
 * call.
 */
export class MessageReader {
  readonly #onMessage: OnMessage;
  #kept = Buffer.allocUnsafeSlow(64 * 1024);
  #keptBytes = 0;

  constructor(onMessage: OnMessage) {
    this.#onMessage = onMessage;
  }

  /** Takes the next `length` bytes of the stream, which are at the beginning of `chunk`. */
  push(chunk: Buffer, length: number): void {
    let at = this.#keptBytes > 0 ? this.#completeKept(chunk, length) : 0;
    while (at + headerBytes <= length) {
      const end = at + 1 + chunk.readInt32BE(at + 1);
      if (end > length) break;
      this.#onMessage(chunk[at] ?? 0, chunk, at + headerBytes, end);
      at = end;
    }
    if (at < length) this.#keep(chunk, at, length);
  }

  /**
   * Completes the message that was cut off. Returns how much of the chunk it used, which is all of it if the message is still incomplete.
   */
  #completeKept(chunk: Buffer, length: number): number {
    let at = 0;
    if (this.#keptBytes < headerBytes) at = this.#keep(chunk, 0, Math.min(length, headerBytes - this.#keptBytes));
    if (this.#keptBytes < headerBytes) return at;
    const size = 1 + this.#kept.readInt32BE(1);
    at = this.#keep(chunk, at, Math.min(length, at + size - this.#keptBytes));
    if (this.#keptBytes < size) return at;
    this.#keptBytes = 0;
    this.#onMessage(this.#kept[0] ?? 0, this.#kept, headerBytes, size);
    return at;
  }

  #keep(chunk: Buffer, from: number, to: number): number {
    const needed = this.#keptBytes + to - from;
    if (needed > this.#kept.length) {
      const larger = Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(needed)));
      this.#kept.copy(larger, 0, 0, this.#keptBytes);
      this.#kept = larger;
    }
    this.#keptBytes += chunk.copy(this.#kept, this.#keptBytes, from, to);
    return to;
  }
}
