import { requestHeaders } from '../../server/platform/http/requestHeaders.ts';
import type { HostileRequest } from './HostileRequest.ts';

type Host = HostileRequest['to'];
type Sender = { readonly name: string; readonly headers: Readonly<Record<string, string>> };

/** It takes a body and has no quota per address. */
export const acknowledgementPath = `/v1/revocations/rev_${'0'.repeat(26)}/ack`;

/** With the rest of the head, nearly 16 KiB. */
const longText = 15_000;

/** Texts that repeat what the grammar of a header repeats. */
const usual: Readonly<Record<string, string>> = {
  accept: 'text/a;q=0.1,'.repeat(longText / 13),
  'accept-encoding': 'gzip;q=0.1,'.repeat(longText / 11),
  'accept-language': 'a-b;q=0.1,'.repeat(longText / 10),
  authorization: `Bearer ${' '.repeat(longText)}x x`,
  'content-type': `application/json${';a=b'.repeat(longText / 4)}`,
  cookie: 'a=b; '.repeat(longText / 5),
  'idempotency-key': `"${'\\'.repeat(longText)}`,
  'if-none-match': '"a", '.repeat(longText / 5),
  'if-modified-since': 'Sun, '.repeat(longText / 5),
  range: `bytes=${'0-1,'.repeat(longText / 4)}`,
  'user-agent': 'Mozilla/5.0 ('.repeat(longText / 13),
  'x-forwarded-for': '1.2.3.4, '.repeat(longText / 9),
  forwarded: 'for=1.2.3.4;'.repeat(longText / 12),
};

/** Headers that some library reads and nobody here: they are dropped before. */
const unread = [
  'accept-charset',
  'accept-language',
  'apollo-require-preflight',
  'baggage',
  'cache-control',
  'content-disposition',
  'forwarded',
  'if-match',
  'if-modified-since',
  'if-range',
  'if-unmodified-since',
  'keep-alive',
  'link',
  'prefer',
  'range',
  'referer',
  'sec-ch-ua',
  'sec-fetch-site',
  'te',
  'traceparent',
  'tracestate',
  'via',
  'x-apollo-operation-name',
  'x-forwarded-host',
  'x-forwarded-proto',
];

/** What the parser itself judges, or what a connection needs. */
const parsers = new Set(['connection', 'content-length', 'transfer-encoding', 'host']);

/** How a header begins that is read as far as possible. */
const beginnings: Readonly<Record<string, string>> = {
  accept: 'text/html;q=',
  authorization: 'Bearer ',
  'content-disposition': 'attachment; filename=',
  'content-type': 'application/json;a=',
  cookie: '__Host-svc_session=',
  forwarded: 'for=',
  'if-none-match': 'W/"',
  range: 'bytes=',
};

/** Characters that expressions repeat, and so may try again and again. */
const repeated: Readonly<Record<string, string>> = {
  blanks: ' ',
  commas: ',',
  semicolons: ';',
  quotes: '"',
  backslashes: '\\',
  percents: '%',
  'equal signs': '=',
};

const paths: Readonly<Record<string, string>> = {
  'a query of many names': `/v1/sync?${'a=b&'.repeat(longText / 4)}`,
  'a query of escapes': `/v1/sync?updated_since=${'%41'.repeat(longText / 3)}`,
  'a query of percents': `/v1/sync?updated_since=${'%'.repeat(longText)}`,
  'a long path': `/${'a/'.repeat(longText / 2)}`,
  'a path of escapes': `/${'%2e%2e/'.repeat(longText / 7)}x.js`,
  'a path of percents': `/assets/${'%'.repeat(longText)}.js`,
  'a page’s path of percents': `/docs/${'%'.repeat(longText)}`,
  'a path of dots': `/${'.'.repeat(longText)}`,
  'a path of slashes': `/${'/'.repeat(longText)}`,
};

/** Heads of nearly 16 KiB, and heads whose headers are as long as they are read. */
export function hostileHeads(to: Host, { name, headers }: Sender, most: number): HostileRequest[] {
  const request = (title: string, method: string, path: string, more: Record<string, string>): HostileRequest => ({
    name: `${to}, ${name}: ${title}`,
    to,
    most,
    make: () => ({ method, path, headers: { ...headers, ...more } }),
  });
  const [read, written] = to === 'portal' ? ['/openapi.json', '/graphql'] : ['/v1/sync', acknowledgementPath];
  return [
    ...Object.entries(usual).flatMap(([header, value]) => [
      request(`a long ${header}`, 'GET', read, { [header]: value }),
      request(`a long ${header}, with a body`, 'POST', written, { [header]: value }),
    ]),
    ...lines().map(([title, header, value]) => request(title, 'POST', written, { 'content-type': 'application/json', [header]: value })),
    request('as many lines as fit', 'GET', read, Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`a${index}`, 'b']))),
    ...Object.entries(paths).map(([title, path]) => request(title, 'GET', path, {})),
  ];
}

/** Every header × every character: as long as the head may be and, where it is read, as long as it is read. */
function lines(): (readonly [title: string, header: string, value: string])[] {
  const read = Object.entries(requestHeaders).filter(([header]) => !parsers.has(header));
  const sizes = [
    ...read.map(([header, { most }]) => [header, Math.min(most, longText), 'at its bound'] as const),
    ...[...read.map(([header]) => header), ...unread].map((header) => [header, longText, 'at the head’s size'] as const),
  ];
  return sizes.flatMap(([header, bytes, size]) =>
    Object.entries(repeated).map(([what, character]) => {
      const beginning = beginnings[header] ?? 'a';
      // Blanks at the end are not part of a value, so it ends with something else.
      return [
        `${header} of ${what} ${size}`,
        header,
        `${beginning}${character.repeat(Math.max(0, bytes - beginning.length - 1))}x`,
      ] as const;
    }),
  );
}
