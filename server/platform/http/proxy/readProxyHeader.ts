import ipaddr from 'ipaddr.js';
import { serverLimits } from '../serverLimits.ts';

/** What a balancer says in front of a connection’s own bytes. */
type ProxyHeader = {
  /** How many bytes the header takes. What follows belongs to the connection itself. */
  readonly length: number;
  /**
   * The address for which the balancer connects. It is null where there is none to tell: the balancer’s own health checks (LOCAL), and callers
   * that it knows no address of (UNKNOWN, a Unix socket).
   */
  readonly source: string | null;
};

const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
const fixedBytes = 16;
const [local, proxy] = [0x20, 0x21];
/** Kind of address and transport, with the bytes of the addresses and where that of the source ends. A stream over Unix sockets has none for us. */
const families = new Map([
  [0x00, { needed: 0, source: 0 }],
  [0x11, { needed: 12, source: 4 }],
  [0x21, { needed: 36, source: 16 }],
  [0x31, { needed: 216, source: 0 }],
]);
const greeting = Buffer.from('PROXY ');
const portForm = '(?:0|[1-9]\\d{0,4})';
const lineForm = new RegExp(`^PROXY (?:UNKNOWN(?: .*)?|(TCP4|TCP6) (\\S+) (\\S+) (${portForm}) (${portForm}))$`);

/**
 * Reads a header of the PROXY protocol, version 1 or 2, from the first bytes of a connection (proxy-protocol.txt of HAProxy, section 2). With
 * `incomplete` it needs more bytes. The additions (TLVs) of version 2 are skipped.
 */
export function readProxyHeader(bytes: Buffer): ProxyHeader | 'incomplete' | 'invalid' {
  if (beginsLike(bytes, signature)) return readBinary(bytes);
  return beginsLike(bytes, greeting) ? readLine(bytes) : 'invalid';
}

/** Whether the bytes that are there are those that it begins with. */
function beginsLike(bytes: Buffer, start: Buffer): boolean {
  const known = Math.min(bytes.length, start.length);
  return start.compare(bytes, 0, known, 0, known) === 0;
}

function readBinary(bytes: Buffer): ProxyHeader | 'incomplete' | 'invalid' {
  const command = bytes[12];
  if (command !== undefined && command !== local && command !== proxy) return 'invalid';
  if (bytes.length < fixedBytes) return 'incomplete';
  const following = bytes.readUInt16BE(14);
  if (following > serverLimits.proxyHeaderBytes.following) return 'invalid';
  // The balancer’s own connection is taken whatever else the header says.
  const family = command === local ? families.get(0) : families.get(bytes[13] ?? 0);
  if (!family || following < family.needed) return 'invalid';
  const length = fixedBytes + following;
  if (bytes.length < length) return 'incomplete';
  return { length, source: family.source === 0 ? null : addressOf(bytes.subarray(fixedBytes, fixedBytes + family.source)) };
}

function readLine(bytes: Buffer): ProxyHeader | 'incomplete' | 'invalid' {
  const end = bytes.subarray(0, serverLimits.proxyHeaderBytes.line).indexOf('\r\n');
  if (end === -1) return bytes.length < serverLimits.proxyHeaderBytes.line ? 'incomplete' : 'invalid';
  const parts = lineForm.exec(bytes.toString('latin1', 0, end));
  if (!parts) return 'invalid';
  const [, family, source = '', target = '', ...ports] = parts;
  const length = end + 2;
  if (family === undefined) return { length, source: null };
  const isAddress = family === 'TCP4' ? isPlainIPv4 : isPlainIPv6;
  const portsAreValid = ports.every((port) => Number(port) <= 65_535);
  return isAddress(source) && isAddress(target) && portsAreValid ? { length, source: ipaddr.process(source).toString() } : 'invalid';
}

function isPlainIPv4(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text);
}

/** The name of a network card says nothing on another machine. */
function isPlainIPv6(text: string): boolean {
  return ipaddr.IPv6.isValid(text) && !text.includes('%');
}

/** An address as it is written, one of IPv4 without its mapping into IPv6. */
function addressOf(bytes: Buffer): string {
  return ipaddr.process(ipaddr.fromByteArray([...bytes]).toString()).toString();
}
