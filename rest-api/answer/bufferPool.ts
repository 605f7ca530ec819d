const smallest = 64 * 1024;
const keptBytes = 64 * 1024 * 1024;

/**
 * Large buffers for the bodies of pages, which are reused: allocating a megabyte for each answer costs more in page faults and garbage
 * collection than filling it with rows. Sizes are powers of two. At most 64 MiB are kept.
 */
export class BufferPool {
  readonly #free = new Map<number, Buffer[]>();
  #kept = 0;

  /** A buffer of at least this size. It still holds whatever was in it before. */
  take(bytes: number): Buffer {
    const size = sizeClass(bytes);
    const buffer = this.#free.get(size)?.pop();
    if (!buffer) return Buffer.allocUnsafeSlow(size);
    this.#kept -= size;
    return buffer;
  }

  /** Takes back what `take` gave. Call it only when nobody reads the buffer any more: after the answer's `finish`, never after an abort. */
  giveBack(buffer: Buffer): void {
    if (this.#kept + buffer.length > keptBytes) return;
    const list = this.#free.get(buffer.length) ?? [];
    this.#free.set(buffer.length, list);
    list.push(buffer);
    this.#kept += buffer.length;
  }
}

function sizeClass(bytes: number): number {
  let size = smallest;
  while (size < bytes) size *= 2;
  return size;
}
