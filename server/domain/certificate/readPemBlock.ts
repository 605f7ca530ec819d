import { CsrRefused } from './csrRefusals.ts';

const maximumBytes = 16 * 1024;
const acceptedLabels = new Set(['CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST']);
/** The byte order mark of UTF-8, which Windows editors write: decoded, or as three Latin-1 characters. */
const byteOrderMark = /^(?:\ufeff|\xef\xbb\xbf)/;
/** Matched only where a run of them begins, so that a long run within a line costs no more than its length. */
const blanksAtEnd = /(?<![ \t])[ \t]+$/;
const beginLine = /^-----BEGIN ([A-Z0-9 ]{1,40})-----$/;

/**
 * The DER bytes of the one PEM block (RFC 7468) of which an upload consists, apart from a byte order mark before it. Throws CsrRefused. The
 * size is checked before anything scans the text, so that no pattern ever sees more than 16 KiB.
 */
export function readPemBlock(upload: Buffer | string): Buffer {
  if (Buffer.byteLength(upload) > maximumBytes) throw new CsrRefused('tooLarge');
  // Latin-1 keeps each byte a character, so what is not ASCII stays visible to the checks below.
  const text = (typeof upload === 'string' ? upload : upload.toString('latin1')).replace(byteOrderMark, '');
  if (text.includes('\0') && text.replaceAll('\0', '').includes('-----BEGIN')) throw new CsrRefused('utf16');
  const blocks = text.split('-----BEGIN').length - 1;
  if (blocks === 0) throw new CsrRefused('notPem');
  if (text.includes('PRIVATE KEY-----')) throw new CsrRefused('privateKey');
  if (blocks > 1) throw new CsrRefused('severalBlocks');
  return decodeBase64(blockContent(text));
}

/** The lines between BEGIN and END, after checking that there is nothing else before or after them. */
function blockContent(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.replace(blanksAtEnd, ''));
  while (lines[0] === '') lines.shift();
  while (lines.at(-1) === '') lines.pop();
  const begin = lines.findIndex((line) => beginLine.test(line));
  if (begin === -1) throw new CsrRefused('notPem');
  const label = beginLine.exec(lines[begin] ?? '')?.[1] ?? '';
  if (!acceptedLabels.has(label)) throw new CsrRefused('wrongLabel', label);
  const end = lines.indexOf(`-----END ${label}-----`);
  if (end < begin) throw new CsrRefused('notPem');
  if (begin > 0 || end < lines.length - 1) throw new CsrRefused('surroundingText');
  const content = lines.slice(begin + 1, end);
  if (content.some((line) => line.includes(':'))) throw new CsrRefused('pemHeaders');
  return content;
}

/** Node's decoder accepts everything. We accept as base64 only text that encodes back to itself. */
function decodeBase64(lines: string[]): Buffer {
  const encoded = lines.join('');
  const decoded = Buffer.from(encoded, 'base64');
  if (decoded.length === 0 || decoded.toString('base64') !== encoded) throw new CsrRefused('badBase64');
  return decoded;
}
