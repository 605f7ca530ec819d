import type { Readable } from 'node:stream';

type Interim = {
  /** Told of the bytes of interim heads as they come. */
  readonly skipped: (bytes: number) => void;
  /** The answer is 101: the other side speaks another protocol from here on. */
  readonly upgraded: () => void;
};

const interimLine = /^HTTP\/1\.\d 1(\d\d)[ \r]/;
/** A status line as far as its status and what follows it: `HTTP/1.1 103 `. */
const statusBytes = 13;
const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/**
 * Takes interim answers (1xx but 101) from what a socket is about to give to its HTTP client: a client must skip them whether or not it asked
 * for one (RFC 9110, section 15.2), and undici ends the connection at a 100. It reads nothing else: what is no well-formed interim head is
 * left to the client’s parser. Call it once for each request, before anybody listens whose turn comes later; the returned function ends it.
 */
export function skipInterim(socket: Readable, { skipped, upgraded }: Interim): () => void {
  /** The beginning of an answer of which too little has come. */
  let begun: Buffer = Buffer.alloc(0);
  let stopped = false;
  const stop = (): void => {
    stopped = true;
    socket.off('readable', onReadable);
  };
  // What has come together is in several chunks, of which one read takes the first.
  const onReadable = (): void => {
    for (let chunk = read(); chunk !== null; chunk = read()) take(chunk);
  };
  const read = (): Buffer | null => (stopped ? null : socket.read());
  const take = (chunk: Buffer): void => {
    let rest = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
    // Line by line, byte by byte, a head would otherwise be read again with each of its bytes.
    let searched = begun.length;
    for (;;) {
      const head = interimHead(rest, searched);
      searched = 0;
      if (head === 'upgrade') return upgraded();
      if (head === 'incomplete') break;
      if (head === 'none') {
        stop();
        if (rest.length > 0) socket.unshift(rest);
        return;
      }
      skipped(head);
      if (stopped) return;
      rest = rest.subarray(head);
    }
    begun = rest;
  };
  socket.prependListener('readable', onReadable);
  return stop;
}

/** How many bytes the interim head has with which these begin, or why there is none. The first `searched` bytes hold no end of it. */
function interimHead(bytes: Buffer, searched: number): number | 'none' | 'upgrade' | 'incomplete' {
  const line = bytes.toString('latin1', 0, statusBytes);
  if (line.length < statusBytes) return 'HTTP/1.'.startsWith(line.slice(0, 7)) && '1'.startsWith(line.slice(9, 10)) ? 'incomplete' : 'none';
  const [, digits] = interimLine.exec(line) ?? [];
  if (digits === undefined) return 'none';
  if (digits === '01') return 'upgrade';
  for (let at = bytes.indexOf(lineFeed, searched); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) {
    if (bytes[at - 1] !== carriageReturn) return 'none';
    if (bytes[at - 2] === lineFeed) return at + 1;
  }
  return 'incomplete';
}
