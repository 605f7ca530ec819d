import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer, isIPv4 } from 'node:net';

/** What a name server answers for a name: addresses of both kinds, another name, or nothing in one of three ways. */
export type Zone = Record<string, readonly string[] | { readonly cname: string } | 'no such name' | 'server failure' | 'silence'>;

const types = { a: 1, cname: 5, aaaa: 28 };

/** A real name server on a loopback address, over UDP and TCP, for these names; all others do not exist. `asked` counts questions. */
export async function startNameServer(zone: Zone): Promise<{ readonly server: string; readonly asked: string[]; close(): Promise<void> }> {
  const asked: string[] = [];
  const answerTo = (question: Buffer): Buffer | undefined => {
    const { name, type, end } = readQuestion(question);
    asked.push(`${type === types.aaaa ? 'AAAA' : 'A'} ${name}`);
    const found = zone[`${type === types.aaaa ? 'AAAA ' : 'A '}${name}`] ?? zone[name] ?? 'no such name';
    if (found === 'silence') return undefined;
    const records = typeof found === 'string' ? [] : recordsOf(zone, name, type);
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(0x8580 | (found === 'no such name' ? 3 : found === 'server failure' ? 2 : 0), 2);
    header.writeUInt16BE(records.length, 6);
    header.fill(0, 8, 12);
    return Buffer.concat([header, question.subarray(12, end), ...records]);
  };
  const socket = createSocket('udp4');
  socket.on('message', (question, { address, port }) => {
    const answer = answerTo(question);
    if (answer) socket.send(answer, port, address);
  });
  // RFC 1035, section 4.2.2: with its length in front.
  const stream = createServer((connection) =>
    connection
      .on('error', () => {})
      .once('data', (question: Buffer) => {
        const answer = answerTo(question.subarray(2));
        if (answer) connection.end(Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 0xff]), answer]));
      }),
  );
  await new Promise<void>((resolve) => stream.listen(0, '127.0.0.1', resolve));
  const { port } = stream.address() as AddressInfo;
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve));
  return {
    server: `127.0.0.1:${port}`,
    asked,
    async close() {
      await Promise.all([
        new Promise<void>((resolve) => socket.close(() => resolve())),
        new Promise<void>((resolve) => stream.close(() => resolve())),
      ]);
    },
  };
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** Follows aliases as a resolver would, and answers with all of them; a loop of aliases ends after eight. */
function recordsOf(zone: Zone, name: string, type: number, depth = 0): Buffer[] {
  const found = zone[name];
  if (found === undefined || typeof found === 'string' || depth > 8) return [];
  if ('cname' in found) return [record(name, types.cname, encodeName(found.cname)), ...recordsOf(zone, found.cname, type, depth + 1)];
  const wanted = found.filter((address) => isIPv4(address) === (type === types.a));
  return wanted.map((address) => record(name, type, isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : sixteen(address)));
}

function record(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(name), fixed, data]);
}

function encodeName(name: string): Buffer {
  return Buffer.concat([...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.from([0])]);
}

/** An IPv6 address with all of its colons or one `::`, and no dotted part. */
function sixteen(address: string): Buffer {
  const [head = '', tail] = address.split('::');
  const parts = (text: string) => (text === '' ? [] : text.split(':').map((part) => Number.parseInt(part, 16)));
  const [first, last] = [parts(head), parts(tail ?? '')];
  const all = tail === undefined ? first : [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
  return Buffer.from(all.flatMap((part) => [part >> 8, part & 0xff]));
}
