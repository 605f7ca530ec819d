import { csrBytes, CsrRefused } from './csrRefusals.ts';
import { type CsrTool, toolOf } from './csrTools.ts';

const acceptedLabels = new Set(['CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST']);
const begin = /-----BEGIN ([A-Z0-9 ]{1,40})-----/;
/** As in a string of JSON or of a program; none of them means anything in PEM. Several backslashes stand for one that was escaped again. */
const escapes = /\\+(?:u([0-9a-fA-F]{4})|(.))/g;
/** What stands around the lines of a block that was indented, quoted in an email, or written as strings. */
const aroundLines = /[\s>"',\\]+/g;

/** A request as it was uploaded: its bytes (DER), and the program that seems to have made it. */
export type UploadedCsr = { readonly csrDer: Buffer; readonly tool: CsrTool };

/**
 * The content of the one PEM block in an upload, whatever surrounds it: programs explain a request before they write it (RFC 7468, section
 * 2), and people copy it out of emails and JSON. Throws CsrRefused. The size is checked before anything scans the text, so that no
 * pattern ever sees more.
 */
export function readPemBlock(upload: Buffer | string): UploadedCsr {
  if (Buffer.byteLength(upload) > csrBytes) throw new CsrRefused('tooLarge');
  // Every other byte of UTF-16, in which Windows saves what PowerShell redirects.
  const plain = upload.toString().replaceAll('\0', '');
  const text = plain.replaceAll(escapes, (_, code: string | undefined, character: string) => unescaped(code, character));
  const blocks = text.split('-----BEGIN').length - 1;
  if (blocks === 0) throw new CsrRefused('notPem');
  if (text.includes('PRIVATE KEY-----')) throw new CsrRefused('privateKey');
  if (blocks > 1) throw new CsrRefused('severalBlocks');
  const { label, content } = blockIn(text);
  const csrDer = decodeBase64(content);
  return { csrDer, tool: toolOf({ text, label, csrDer }) };
}

function unescaped(code: string | undefined, character: string): string {
  if (code !== undefined) return String.fromCharCode(parseInt(code, 16));
  return /[nrt]/.test(character) ? '\n' : character;
}

/** What stands between the lines BEGIN and END, without any whitespace. */
function blockIn(text: string): { readonly label: string; readonly content: string } {
  const found = begin.exec(text);
  if (!found) throw new CsrRefused('notPem');
  const [line, label = ''] = found;
  if (!acceptedLabels.has(label)) throw new CsrRefused('wrongLabel', label);
  const start = found.index + line.length;
  const end = text.indexOf(`-----END ${label}-----`, start);
  if (end === -1) throw new CsrRefused('notPem');
  const content = text.slice(start, end).replaceAll(aroundLines, '');
  if (content.includes(':')) throw new CsrRefused('pemHeaders');
  return { label, content };
}

/** Node's decoder accepts everything. We accept as base64 only text that encodes back to itself. */
function decodeBase64(encoded: string): Buffer {
  const decoded = Buffer.from(encoded, 'base64');
  if (decoded.length === 0 || decoded.toString('base64') !== encoded) throw new CsrRefused('badBase64');
  return decoded;
}
