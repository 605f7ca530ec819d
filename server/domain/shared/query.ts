/** Runs one statement with bound parameters (`$1`); returns rows by column name. All that the hot path knows of a database client. */
export type Query = <Row>(text: string, parameters: readonly (string | number | null)[]) => Promise<Row[]>;

/**
 * Runs one statement and hands over its rows while they arrive, undecoded, in PostgreSQL's binary format. Also rejects with whatever the
 * receiver throws. Rows that were handed over before a rejection must not be used.
 */
export type ReadRows = (text: string, parameters: readonly (string | number | null)[], onRow: OnRow) => Promise<void>;

export type OnRow = (row: Row) => void;

const mostColumns = 32;
const year2000 = Date.UTC(2000, 0);

/**
 * A row in the buffer that received it: column `n` is the bytes from `starts[n]` to `ends[n]`; NULL ends before it starts. Valid only
 * during the call.
 */
export class Row {
  bytes: Buffer = Buffer.alloc(0);
  readonly starts = new Int32Array(mostColumns);
  readonly ends = new Int32Array(mostColumns);

  /** Points at the row whose count of columns begins at `at`. */
  set(bytes: Buffer, at: number): void {
    this.bytes = bytes;
    const columns = bytes.readInt16BE(at);
    let from = at + 2;
    for (let column = 0; column < columns; column += 1) {
      const length = bytes.readInt32BE(from);
      from += 4;
      this.starts[column] = from;
      this.ends[column] = from + length;
      if (length > 0) from += length;
    }
  }

  isNull(column: number): boolean {
    return (this.ends[column] ?? 0) < (this.starts[column] ?? 0);
  }

  /** An int8 within the range of safe integers. */
  integer(column: number): number {
    const at = this.starts[column] ?? 0;
    return this.bytes.readInt32BE(at) * 0x1_0000_0000 + this.bytes.readUInt32BE(at + 4);
  }

  /** An int2 or int4. */
  smallInteger(column: number): number {
    const at = this.starts[column] ?? 0;
    return this.ends[column] === at + 2 ? this.bytes.readInt16BE(at) : this.bytes.readInt32BE(at);
  }

  boolean(column: number): boolean {
    return this.bytes[this.starts[column] ?? 0] === 1;
  }

  /** A timestamptz as whole milliseconds since 1970: PostgreSQL counts microseconds since 2000. */
  instant(column: number): number {
    return Math.floor(this.integer(column) / 1000) + year2000;
  }

  /** Text of ASCII characters. */
  ascii(column: number): string {
    return this.bytes.toString('latin1', this.starts[column], this.ends[column]);
  }

  /** A copy of the bytes, which may be kept. */
  copy(column: number): Buffer {
    return Buffer.from(this.bytes.subarray(this.starts[column], this.ends[column]));
  }
}
