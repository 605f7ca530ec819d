import { crc32, deflateSync } from 'node:zlib';
import { type GraphQLSchema, Lexer, Source, TokenKind } from 'graphql';
import { accountLimits } from '../../server/domain/account/accountLimits.ts';
import { logoLimits } from '../../server/domain/logo/image/logoLimits.ts';
import { permissions } from '../../server/domain/access/permissions.ts';
import { limits } from '../../server/domain/shared/limits.ts';
import { graphqlLimits } from '../../server/portal-api/graphqlLimits.ts';
import { fullOrder } from './fullOrder.ts';
import { type HostileRequest, knownMost, strangersMost } from './HostileRequest.ts';
import { hostileArguments, hostileTexts } from './hostileArguments.ts';
import { credentialParts, hostileAssertion, hostileCbor, hostileRegistration } from './hostileCredentials.ts';
import { hostileCsrs } from './hostileCsrs.ts';
import { hostileDocuments, hostileJson, type HostileDocument } from './hostileDocuments.ts';
import { hostileHeads } from './hostileHeads.ts';
import { machineRequests } from './hostileMachine.ts';
import type { BenchPortal } from '../programs/hostileServer.ts';

type Caller = {
  readonly name: string;
  readonly most: number;
  readonly bytes: number;
  readonly tokens: number;
  readonly headers: Record<string, string>;
};

/** All requests, for a portal with these credentials. */
export function hostileRequests(portal: BenchPortal, schema: GraphQLSchema): HostileRequest[] {
  const origin = { origin: `http://localhost:${portal.port}` };
  const stranger: Caller = {
    name: 'stranger',
    most: strangersMost,
    bytes: graphqlLimits.anonymousBodyBytes,
    tokens: graphqlLimits.strangersTokens,
    headers: origin,
  };
  const operator: Caller = {
    name: 'operator',
    most: knownMost,
    bytes: graphqlLimits.graphqlBodyBytes,
    tokens: graphqlLimits.graphqlTokens,
    headers: { ...origin, cookie: portal.sessionCookie },
  };
  const administrator: Caller = {
    ...operator,
    name: 'administrator',
    headers: { ...origin, cookie: portal.administratorCookie },
  };
  const program: Caller = {
    name: 'program',
    most: knownMost,
    bytes: graphqlLimits.toolingBodyBytes,
    tokens: graphqlLimits.graphqlTokens,
    headers: { authorization: `Bearer ${portal.serviceToken}` },
  };
  return [
    ...[stranger, operator, program].flatMap((caller) => [...documentsOf(caller), ...jsonOf(caller)]),
    ...jsonOf({ ...stranger, name: 'stranger with 128 KiB', bytes: graphqlLimits.graphqlBodyBytes }),
    ...batchesOf(program),
    ...hostileHeads('portal', stranger, strangersMost),
    ...mailboxesOf(stranger),
    ...[stranger, operator].flatMap((caller) => argumentsOf(caller, schema, () => true)),
    ...argumentsOf(administrator, schema, isForAdministrators),
    ...uploadsOf(operator, portal),
    ...csrsOf(operator, portal),
    ...credentialsOf({ stranger, operator }, portal),
    ...machineRequests(`svc:sandbox:${portal.clientId}`),
  ];
}

function graphql({ name: caller, most, headers }: Caller, name: string, body: () => string): HostileRequest {
  let made: Buffer | undefined;
  return {
    name: `${caller}: ${name}`,
    to: 'portal',
    most,
    make: () => ({
      method: 'POST',
      path: '/graphql',
      headers: { ...headers, 'content-type': 'application/json' },
      body: (made ??= Buffer.from(body())),
    }),
  };
}

/** A longer one contains more values than are read, whatever it is. */
const manyValues = 2 * 1024 * 1024;

/** Each document, as long as the caller may send it and, if not all of that would be read, as long as it is read. */
function documentsOf(caller: Caller): HostileRequest[] {
  return Object.entries(hostileDocuments).flatMap(([name, document]) => {
    const longest = graphql(caller, name, () => JSON.stringify(document(itemsWithin(document, Math.min(caller.bytes, manyValues)))));
    const many = tokensOf(document(caller.tokens).query) > caller.tokens;
    const bytes = Math.min(caller.bytes, graphqlLimits.graphqlBodyBytes);
    if (!many) return [longest];
    return [
      longest,
      graphql(caller, `${name}, of ${caller.tokens} tokens`, () => JSON.stringify(document(itemsWithin(document, bytes, caller.tokens)))),
    ];
  });
}

/** JSON as long as the caller may send it, with as many values as are read, and also where any JSON is accepted. */
function jsonOf(caller: Caller): HostileRequest[] {
  const shorter = Math.min(caller.bytes, graphqlLimits.jsonValues * 2);
  const signIn = 'mutation ($i: FinishSignInInput!) { finishSignIn(input: $i) { kind } }';
  return Object.entries(hostileJson).flatMap(([name, json]) => [
    graphql(caller, `JSON, ${name}`, () => `{"query":"{ __typename }","variables":{"a":${json(caller.bytes - 100)}}}`),
    graphql(
      caller,
      `JSON, ${name}, as a passkey's answer`,
      () => `{"query":${JSON.stringify(signIn)},"variables":{"i":{"response":${json(shorter - 200)}}}}`,
    ),
  ]);
}

/** The largest size of a document that fits. The size is estimated as if it grew evenly, and then reduced until it fits. */
function itemsWithin(document: (n: number) => HostileDocument, bytes: number, tokens?: number): number {
  const probe = 200;
  const fits = (n: number) => {
    const made = document(n);
    return JSON.stringify(made).length <= bytes && (tokens === undefined || tokensOf(made.query) <= tokens);
  };
  let n = Math.floor((probe * bytes) / JSON.stringify(document(probe)).length);
  if (tokens !== undefined) n = Math.min(n, Math.floor((probe * tokens) / Math.max(1, tokensOf(document(probe).query))) * 2);
  while (n > 1 && !fits(n)) n = Math.floor(n * 0.97);
  return n;
}

function tokensOf(text: string): number {
  const lexer = new Lexer(new Source(text));
  let tokens = 0;
  try {
    while (lexer.advance().kind !== TokenKind.EOF) tokens += 1;
  } catch {
    // As in the service, anything that is not a token ends the reading.
  }
  return tokens;
}

/** Addresses whose domains take long to convert to ASCII, or to normalise. */
function mailboxesOf(caller: Caller): HostileRequest[] {
  const query = 'mutation ($i: RequestRegistrationInput!) { requestRegistration(input: $i) }';
  const mailbox = (name: string, domain: (letters: number) => string) =>
    graphql(caller, `a registration, ${name}`, () =>
      JSON.stringify({ query, variables: { i: { email: `a@${domain(caller.bytes / 3 - 100)}.com` } } }),
    );
  const different = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => String.fromCodePoint(from + index)).join('');
  return [
    mailbox('a domain of as many different letters as fit', (count) => different(0x4e00, count)),
    mailbox('a domain of as many letters as are read', () => different(0x4e00, accountLimits.emailCharacters - 6)),
    mailbox('a domain of marks out of order', (count) => `a${'\u0315\u0316'.repeat(count / 2)}`),
    mailbox('a name of dots', (count) => `${'a.'.repeat(count)}@example`),
  ];
}

/** Each of these operations that takes a text, with each text that is costly to read. */
function argumentsOf(caller: Caller, schema: GraphQLSchema, wanted: (operation: string) => boolean): HostileRequest[] {
  return Object.entries(hostileTexts).flatMap(([name, text]) =>
    hostileArguments(schema, text, caller.bytes)
      .filter(([operation]) => wanted(operation))
      .map(([operation, document]) => graphql(caller, `${operation} with ${name}`, () => JSON.stringify(document))),
  );
}

function isForAdministrators(operation: string): boolean {
  return Object.entries(permissions).some(([name, { by }]) => name === operation && by === 'administrator');
}

/** Batches as large as they may be: good ones, which are stored, and some that cost much to check. */
function batchesOf({ headers }: Caller): HostileRequest[] {
  const query = 'mutation ($input: UpsertTrackedResourcesInput!) { upsertTrackedResources(input: $input) { created updated } }';
  const batch = (name: string, data: (index: number, round: number) => unknown): HostileRequest => ({
    name: `program: batch of 1,000, ${name}`,
    to: 'portal',
    most: knownMost,
    make: (round) => {
      const resources = Array.from({ length: limits.upsertBatch }, (_, index) => ({
        type: 'order',
        key: `${name.replaceAll(/[^a-z0-9]/g, '-')}-${index}`,
        version: String(round + 1),
        user: `user-${index % 100}`,
        historyComplete: true,
        data: data(index, round),
      }));
      const body = Buffer.from(JSON.stringify({ query, variables: { input: { resources } } }));
      return { method: 'POST', path: '/graphql', headers: { ...headers, 'content-type': 'application/json' }, body };
    },
  });
  const words = (bytes: number) => ({ status: 'placed', market: 'DE', model: 'A1'.repeat(bytes / 2) });
  return [
    batch('every field of each order new each time', (_, round) => fullOrder(round)),
    batch('names of 16,000 letters and digits', () => words(16_000)),
    batch('one name of 15 MiB', (index) => words(index === 0 ? 15 * 1024 * 1024 : 10)),
    batch('option codes of 16,000 letters', () => ({ ...words(10), option_codes: Array.from({ length: 3 }, () => 'A1'.repeat(2_600)) })),
    batch('200 option codes each', () => ({ ...words(10), option_codes: Array.from({ length: 200 }, (_, code) => `A${code}B1C2`) })),
    batch('200,000 option codes in one', (index) => ({
      ...words(10),
      option_codes: Array.from({ length: index === 0 ? 200_000 : 1 }, () => 'ABCDE'),
    })),
    batch('250 unknown fields each', () => Object.fromEntries(Array.from({ length: 125 }, (_, field) => [`field${field}`, 1]))),
    batch('100,000 unknown fields in one', (index) =>
      Object.fromEntries(Array.from({ length: index === 0 ? 100_000 : 0 }, (_, field) => [`field${field}`, 1])),
    ),
    batch('20,000 events in one', (index) => ({
      ...words(10),
      shipping: { events: Array.from({ length: index === 0 ? 20_000 : 0 }, () => ({ kind: 'loaded', port: 'x', at: 'x', estimated: 1 })) },
    })),
  ];
}

function uploadsOf({ headers }: Caller, { integrationId }: BenchPortal): HostileRequest[] {
  const upload = (name: string, body: () => Buffer): HostileRequest => ({
    name: `operator: logo, ${name}`,
    to: 'portal',
    most: knownMost,
    make: () => ({
      method: 'POST',
      path: `/integrations/${integrationId}/logo`,
      headers: { ...headers, 'content-type': 'image/png' },
      body: body(),
    }),
  });
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const head = pngChunk('IHDR', Buffer.from('0000020000000200080200000', 'hex'));
  const webp = (chunk: Buffer, count: number) => {
    const chunks = Buffer.concat(Array.from({ length: count }, () => chunk));
    return Buffer.concat([Buffer.from('RIFF'), little(chunks.length + 4), Buffer.from('WEBP'), chunks]);
  };
  const fill = (chunk: Buffer) => Math.floor((logoLimits.logoBytes - 100) / chunk.length);
  const small = pngChunk('tEXt', Buffer.alloc(0));
  const profile = pngChunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), deflateSync(Buffer.alloc(600 * 1024 * 1024, 0))]));
  const pixels = pngChunk('IDAT', deflateSync(Buffer.alloc(512 * (1 + 512 * 3))));
  const empty = pngChunk('IDAT', Buffer.alloc(0));
  const riff = Buffer.concat([Buffer.from('JUNK'), little(0)]);
  return [
    upload('a PNG of empty chunks', () => Buffer.concat([signature, head, ...Array.from({ length: fill(small) }, () => small)])),
    upload('a PNG of empty picture chunks', () => Buffer.concat([signature, head, ...Array.from({ length: fill(empty) }, () => empty)])),
    upload('a PNG whose profile unpacks to 600 MiB', () =>
      Buffer.concat([signature, head, profile, pixels, pngChunk('IEND', Buffer.alloc(0))]),
    ),
    upload('a PNG, all one picture', () => Buffer.concat([signature, head, pixels, pngChunk('IEND', Buffer.alloc(0))])),
    upload('a JPEG of segments', () =>
      Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(logoLimits.logoBytes - 10, Buffer.from('ffe10002', 'hex'))]),
    ),
    upload('a JPEG of 0xFF', () => Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(logoLimits.logoBytes - 10, 0xff)])),
    upload('a JPEG of scans', () =>
      Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(logoLimits.logoBytes - 10, Buffer.from('ffda000200', 'hex'))]),
    ),
    upload('a WebP of chunks', () => webp(riff, fill(riff))),
    upload('an SVG of comments', () =>
      Buffer.concat([Buffer.from('<!--'), Buffer.alloc(logoLimits.logoBytes - 10, ' <!-- '), Buffer.from('<s')]),
    ),
    upload('spaces', () => Buffer.alloc(logoLimits.logoBytes, ' ')),
    upload('“<”', () => Buffer.alloc(logoLimits.logoBytes, '<!--<')),
  ];
}

function pngChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}

function little(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Certificate requests that take long to read or to verify. */
function csrsOf({ headers }: Caller, { clientId }: BenchPortal): HostileRequest[] {
  const query = 'mutation ($input: RequestCertificateInput!) { requestCertificate(input: $input) { id } }';
  const pem = (der: Buffer) =>
    `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE REQUEST-----\n`;
  const csr = (name: string, text: () => string): HostileRequest => ({
    name: `operator: request for a certificate, ${name}`,
    to: 'portal',
    most: knownMost,
    make: () => ({
      method: 'POST',
      path: '/graphql',
      headers: { ...headers, 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ query, variables: { input: { clientId, csr: text() } } })),
    }),
  });
  return [
    ...Object.entries(hostileCsrs).map(([name, der]) => csr(name, () => pem(der(`svc:sandbox:${clientId}`, 11_000)))),
    csr('with a line of blanks', () => `-----BEGIN CERTIFICATE REQUEST-----\n${'\t'.repeat(16_000)}x`),
    csr('of hyphens', () => '-'.repeat(16_000)),
    csr('of begins', () => '-----BEGIN CERTIFICATE REQUEST-----\n'.repeat(440)),
    csr('of line ends', () => `-----BEGIN CERTIFICATE REQUEST-----${'\n'.repeat(16_000)}`),
  ];
}

/** Handmade answers of passkeys, as large as they are read, for a challenge that is open. */
function credentialsOf(
  { stranger, operator }: Record<'stranger' | 'operator', Caller>,
  { port, challenges, passkeyId, browserCookie }: BenchPortal,
): HostileRequest[] {
  const signingIn = { ...stranger, headers: { ...stranger.headers, cookie: browserCookie } };
  const made = (challenge: string, cbor: Buffer) => ({ rpId: 'localhost', origin: `http://localhost:${port}`, challenge, cbor });
  const signIn = 'mutation ($i: FinishSignInInput!) { finishSignIn(input: $i) { kind } }';
  const addition = 'mutation ($i: FinishPasskeyAdditionInput!) { finishPasskeyAddition(input: $i) { id } }';
  return Object.entries(hostileCbor).flatMap(([name, cbor]) => [
    graphql(signingIn, `a sign-in with ${name}`, () =>
      JSON.stringify({
        query: signIn,
        variables: { i: { response: hostileAssertion(made(challenges.signIn, cbor(stranger.bytes * 0.7)), passkeyId) } },
      }),
    ),
    ...credentialParts.map((part) =>
      graphql(operator, `a passkey’s ${part} with ${name}`, () =>
        JSON.stringify({
          query: addition,
          variables: { i: { name: 'Bench', response: hostileRegistration(made(challenges.registration, cbor(12_000)), part) } },
        }),
      ),
    ),
  ]);
}
