import { promisify } from 'node:util';
import { constants, gzip, zstdCompress } from 'node:zlib';
import { serverLimits } from './serverLimits.ts';

/** The codings that we can send, the better one first. */
const codings = ['zstd', 'gzip'] as const;
export type ContentCoding = (typeof codings)[number];

/** The coding that its sender wants most, or null for none; and whether the bytes as they are would do. */
type Wish = { readonly coding: ContentCoding | null; readonly plainWillDo: boolean };

/** RFC 9110, sections 12.5.3 and 12.4.2. */
const element = /^([\w!#$%&'*+.^`|~-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/**
 * Reads Accept-Encoding. Without it, or without a coding that we have, the bytes are sent as they are, even to those who say that they do
 * not want them so (`identity;q=0`): a server may then answer 406 or disregard the header (RFC 9110, section 12.1), and everybody can read
 * bytes as they are, so nobody is refused for it. Of codings that are wanted equally, one that is named goes before one that `*` stands for.
 */
export function wishedCoding(header: string | undefined): Wish {
  if (header === undefined) return { coding: null, plainWillDo: true };
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [, name = '', weight = '1'] = element.exec(part.trim()) ?? [];
    if (name !== '') weights.set(name.toLowerCase().replace(/^x-/, ''), Number(weight));
  }
  const others = weights.get('*') ?? 0;
  const weightOf = (coding: ContentCoding) => weights.get(coding) ?? others;
  const [best] = codings
    .filter((coding) => weightOf(coding) > 0)
    .toSorted((one, other) => weightOf(other) - weightOf(one) || Number(weights.has(other)) - Number(weights.has(one)));
  const plain = weights.get('identity');
  const plainWillDo = plain === undefined ? weights.get('*') !== 0 : plain > 0;
  const coding = best !== undefined && weightOf(best) >= (plain ?? 0) ? best : null;
  return { coding, plainWillDo };
}

/** Bytes as they are sent, in a coding or as they are. */
export type CodedBytes = { readonly bytes: Buffer; readonly coding: ContentCoding | null };

const compressors = {
  zstd: (bytes: Buffer) => promisify(zstdCompress)(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 6 }),
} as const satisfies Record<ContentCoding, (bytes: Buffer) => Promise<Buffer>>;

let underWay = 0;

/**
 * The bytes in the coding that Accept-Encoding wishes, if they are long enough for that to be worth it. It happens on other threads, block by
 * block. When as many bodies are being compressed as may be at once, this one stays as it is. The bytes must not change until then.
 */
export async function encodeFor(acceptEncoding: string | undefined, bytes: Buffer): Promise<CodedBytes> {
  const { coding, plainWillDo } = wishedCoding(acceptEncoding);
  const isWorthIt = bytes.length > serverLimits.uncompressedBytes || !plainWillDo;
  if (coding === null || !isWorthIt || underWay >= serverLimits.compressionsAtOnce) return { bytes, coding: null };
  underWay += 1;
  try {
    return { bytes: await compressors[coding](bytes), coding };
  } finally {
    underWay -= 1;
  }
}
