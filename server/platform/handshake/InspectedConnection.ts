import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { HandshakeInspection, HandshakeRefusal } from './HandshakeInspection.ts';

type Done = (error?: Error | null) => void;

const headerBytes = 5;
/** RFC 8446, 5.2, with a header. */
const mostRecordBytes = headerBytes + 16_384 + 256;
/** RFC 8446, 5.1. What begins in another way is not TLS. */
const isTls = (type: number) => type >= 20 && type <= 23;

/**
 * A connection as the TLS on top of it sees it. Until the handshake is over, it hands on what the other side sends record by record, the next one once
 * TLS has taken the last one, and only what the inspection lets pass. Without it, Node would read the connection past JavaScript.
 */
export class InspectedConnection extends Duplex {
  readonly #socket: Socket;
  readonly #inspection: HandshakeInspection;
  readonly #refused: (refusal: HandshakeRefusal) => void;
  /** What has come and was not handed on. */
  #held: Buffer = Buffer.alloc(0);
  #isWanted = false;
  /** How much of it the inspection has let pass. */
  #passed = 0;
  #isComplete = false;
  #isCut = false;
  #hasEnded = false;

  /** `refused` is called if the inspection refuses a record. The connection is closed by then. */
  constructor(socket: Socket, inspection: HandshakeInspection, refused: (refusal: HandshakeRefusal) => void) {
    // As small as it can be, so that it asks for a record when the last one has been read.
    super({ readableHighWaterMark: 1 });
    this.#socket = socket;
    this.#inspection = inspection;
    this.#refused = refused;
    socket.allowHalfOpen = true;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('end', () => {
      this.#hasEnded = true;
      this.#handOn();
    });
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    socket.pause();
  }

  /** The TLS on top, as soon as it is known: what has been destroyed must not be handed anything, or Node throws an error that nothing catches. */
  secured: TLSSocket | undefined;

  /** The handshake is over. From now on, everything is handed on as it comes. */
  complete(): void {
    this.#isComplete = true;
  }

  #receive(chunk: Buffer): void {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#handOn();
  }

  #handOn(): void {
    while (this.#isWanted && this.#held.length > 0 && !this.#isCut) {
      if (this.secured?.destroyed) {
        this.destroy();
        return;
      }
      const next = this.#isComplete ? this.#held : this.#nextOfHandshake();
      if (next === undefined) break;
      this.#held = this.#held.subarray(next.length);
      this.#passed = 0;
      this.#isWanted = this.push(next);
    }
    if (this.#hasEnded && (this.#isWanted || this.#isCut)) this.push(null);
    if (this.#isWanted) this.#socket.resume();
    else this.#socket.pause();
  }

  /** The next record, or the next few, if they have come whole and may pass. */
  #nextOfHandshake(): Buffer | undefined {
    const record = this.#nextRecord();
    if (record === undefined) return undefined;
    if (!isTls(record.readUInt8())) {
      // OpenSSL needs no more to tell what it is, HTTP for instance, and to refuse it.
      this.#isCut = true;
      return record.subarray(0, headerBytes);
    }
    const refusal = this.#inspection.refusal(record);
    if (refusal !== undefined) {
      this.#isCut = true;
      this.destroy();
      this.#refused(refusal);
      return undefined;
    }
    this.#passed += record.length;
    return this.#inspection.isAmidst ? this.#nextOfHandshake() : this.#held.subarray(0, this.#passed);
  }

  /** What follows what has passed: a whole record, or as much as has come of one that is too long. */
  #nextRecord(): Buffer | undefined {
    const held = this.#held.subarray(this.#passed);
    if (held.length < headerBytes) return undefined;
    const bytes = headerBytes + held.readUInt16BE(3);
    return held.length < bytes && bytes <= mostRecordBytes && isTls(held.readUInt8()) ? undefined : held.subarray(0, bytes);
  }

  override _read(): void {
    this.#isWanted = true;
    this.#handOn();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#socket.write(chunk, done);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: Done): void {
    this.#socket.cork();
    chunks.forEach(({ chunk }, place) => this.#socket.write(chunk, place === chunks.length - 1 ? done : undefined));
    this.#socket.uncork();
  }

  override _final(done: Done): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#socket.destroy();
    done(error);
  }
}
