import 'reflect-metadata';
import { createPrivateKey, KeyObject, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { X509CertificateGenerator } from '@peculiar/x509';
import { hostileChain } from '../../../bench/hostile/hostileChain.ts';
import type { OutboundErrorKind } from '../../../server/domain/webhook/WebhookTransport.ts';
import { ensureDevelopmentTls, ensureReceiverTls } from '../../../server/platform/developmentTls.ts';
import type { DevelopmentHosts } from '../../../server/platform/outbound/openConnection.ts';

type Behaviour = {
  /** On the bare connection before TLS, or, as most, once the request has come. */
  readonly on?:
    | 'connection'
    | 'request'
    | 'expired'
    | 'wrongName'
    | 'commonName'
    | 'untrusted'
    | 'dhe'
    | 'ffdhe'
    | 'hybrid'
    | 'curve'
    | 'tls12'
    | 'clientCertificate'
    | 'chain'
    | 'longChain'
    | 'ownCurve';
  readonly does: (socket: Socket) => void;
  readonly ends: OutboundErrorKind | number;
};

const ok = 'HTTP/1.1 200 OK\r\n';
const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;
const nothing = (): void => {};
/** The bare connections by both ports, because one with TLS on it cannot be reset. Two receivers may be called from the same port. */
const bare = new Map<string, Socket>();
const portsOf = ({ remotePort, localPort }: Socket) => `${remotePort}:${localPort}`;
const reset = (socket: Socket): void => void bare.get(portsOf(socket))?.resetAndDestroy();
/** Writes the same without end, as fast as it is read. */
const endlessly = (first: string, more: string) => (socket: Socket) => {
  socket.write(first);
  const write = (): void => {
    while (!socket.destroyed && socket.write(more));
  };
  socket.on('drain', write);
  write();
};
/** Writes one piece every few milliseconds without end. */
const dripping = (first: string, more: string) => (socket: Socket) => {
  socket.write(first);
  const timer = setInterval(() => socket.write(more), 10);
  socket.on('close', () => clearInterval(timer));
};
const answering = (text: string | Buffer) => (socket: Socket) => void socket.write(text);
/** Answers after a few more handshakes, so anyone who takes part in them gets the answer. */
const handshakes = (socket: Socket): void => {
  let left = 3;
  const next = (): void => {
    if ((left -= 1) < 0) socket.end(`${ok}content-length: 0\r\n\r\n`);
    else (socket as TLSSocket).renegotiate({}, next);
  };
  next();
};
const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024));

/** What receivers do to anyone who calls them, and how an attempt at each of them ends, with limits of 16 KiB of headers and 64 KiB of body. */
export const hostileBehaviours: Readonly<Record<string, Behaviour>> = {
  'accepts and says nothing': { on: 'connection', does: nothing, ends: 'tls_timeout' },
  'resets before TLS': { on: 'connection', does: reset, ends: 'connection_reset' },
  'closes before TLS': { on: 'connection', does: (socket) => void socket.end(), ends: 'connection_reset' },
  'resets in the middle of the handshake': {
    on: 'connection',
    does: (socket) => void socket.once('data', () => reset(socket)),
    ends: 'connection_reset',
  },
  'speaks HTTP without TLS': { on: 'connection', does: answering(`${ok}\r\n`), ends: 'tls_failure' },
  'drips a handshake': { on: 'connection', does: dripping('\x16\x03\x03\x3f\x7f', '\x02'), ends: 'tls_timeout' },
  'sends endless bytes instead of TLS': { on: 'connection', does: endlessly('', 'x'.repeat(1000)), ends: 'tls_failure' },
  'has a certificate for another name': { on: 'wrongName', does: answering(`${ok}\r\n`), ends: 'certificate_wrong_name' },
  'has its name as the common name alone': { on: 'commonName', does: answering(`${ok}\r\n`), ends: 'certificate_wrong_name' },
  'has an expired certificate': { on: 'expired', does: answering(`${ok}\r\n`), ends: 'certificate_expired' },
  'has a certificate of its own': { on: 'untrusted', does: answering(`${ok}\r\n`), ends: 'certificate_untrusted' },
  'presents a long chain': { on: 'longChain', does: answering(`${ok}\r\n`), ends: 'tls_handshake_too_large' },
  'presents RSA keys with long exponents': { on: 'chain', does: answering(`${ok}\r\n`), ends: 'certificate_untrusted' },
  'presents a curve of its own': { on: 'ownCurve', does: answering(`${ok}\r\n`), ends: 'certificate_untrusted' },
  'chooses the prime of the key exchange': { on: 'dhe', does: answering(`${ok}\r\n`), ends: 'tls_failure' },
  'agrees on keys by the hybrid alone': { on: 'hybrid', does: answering('HTTP/1.1 204 No Content\r\n\r\n'), ends: 204 },
  'agrees on keys over X25519 alone': { on: 'curve', does: answering('HTTP/1.1 204 No Content\r\n\r\n'), ends: 204 },
  'wants a key exchange of whole numbers': { on: 'ffdhe', does: answering(`${ok}\r\n`), ends: 'tls_failure' },
  'asks for another handshake after each': { on: 'tls12', does: handshakes, ends: 'protocol_error' },
  'demands a client certificate': { on: 'clientCertificate', does: answering(`${ok}\r\n`), ends: 'tls_failure' },
  'never answers': { does: nothing, ends: 'timeout' },
  'resets after the request': { does: reset, ends: 'connection_reset' },
  'closes after the request': { does: (socket) => void socket.end(), ends: 'connection_reset' },
  'resets within the status line': { does: (socket) => void socket.write('HTTP/1.1 2', () => reset(socket)), ends: 'connection_reset' },
  'resets within the headers': { does: (socket) => void socket.write(`${ok}a: b\r\n`, () => reset(socket)), ends: 'connection_reset' },
  'resets within the body': {
    does: (socket) => void socket.write(`${ok}content-length: 9\r\n\r\nabc`, () => reset(socket)),
    ends: 'connection_reset',
  },
  'closes within the body': { does: (socket) => void socket.end(`${ok}content-length: 9\r\n\r\nabc`), ends: 'connection_reset' },
  'drips a status line': { does: dripping('HTTP/1.1 200 ', 'x'), ends: 'timeout' },
  'drips headers': { does: dripping(ok, 'a: b\r\n'), ends: 'timeout' },
  'drips a body': { does: dripping(`${ok}content-length: 9999\r\n\r\n`, 'x'), ends: 'timeout' },
  'drips chunks': { does: dripping(`${ok}transfer-encoding: chunked\r\n\r\n`, chunk(1)), ends: 'timeout' },
  'sends an endless status line': { does: endlessly('HTTP/1.1 200 ', 'x'.repeat(1000)), ends: 'response_headers_too_large' },
  'sends one endless header': { does: endlessly(`${ok}a: `, 'x'.repeat(1000)), ends: 'response_headers_too_large' },
  'sends endless headers': { does: endlessly(ok, 'a: b\r\n'.repeat(100)), ends: 'response_headers_too_large' },
  'sends 17 KiB of headers': { does: answering(`${ok}${`a: ${'x'.repeat(995)}\r\n`.repeat(17)}\r\n`), ends: 'response_headers_too_large' },
  'sends an endless body': { does: endlessly(`${ok}\r\n`, 'x'.repeat(1000)), ends: 'response_too_large' },
  'sends endless chunks': { does: endlessly(`${ok}transfer-encoding: chunked\r\n\r\n`, chunk(1000)), ends: 'response_too_large' },
  'sends endless chunks of one byte': {
    does: endlessly(`${ok}transfer-encoding: chunked\r\n\r\n`, chunk(1).repeat(200)),
    ends: 'response_too_large',
  },
  'sends an endless chunk extension': {
    does: endlessly(`${ok}transfer-encoding: chunked\r\n\r\n1;a=`, 'x'.repeat(1000)),
    ends: 'response_too_large',
  },
  'sends endless trailers': {
    does: endlessly(`${ok}transfer-encoding: chunked\r\n\r\n0\r\n`, 'a: b\r\n'.repeat(100)),
    ends: 'response_headers_too_large',
  },
  'sends a body of 65 KiB': { does: answering(`${ok}content-length: 66560\r\n\r\n${'x'.repeat(66_560)}`), ends: 'response_too_large' },
  'sends a body of exactly 64 KiB': { does: answering(`${ok}content-length: 65536\r\n\r\n${'x'.repeat(65_536)}`), ends: 200 },
  'promises more than it sends': { does: answering(`${ok}content-length: 1000000000000\r\n\r\nabc`), ends: 'timeout' },
  'sends a gzip bomb': {
    does: answering(Buffer.concat([Buffer.from(`${ok}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`), bomb])),
    ends: 200,
  },
  'sends a larger gzip bomb': {
    does: endlessly(`${ok}content-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n`, chunk(5000)),
    ends: 'response_too_large',
  },
  'storms with 103': {
    does: endlessly('', `HTTP/1.1 103 Early Hints\r\nlink: ${'x'.repeat(100)}\r\n\r\n`),
    ends: 'response_headers_too_large',
  },
  'sends three large heads before its answer': {
    does: answering(`${`HTTP/1.1 103 Early Hints\r\nlink: ${'x'.repeat(6_000)}\r\n\r\n`.repeat(3)}${ok}content-length: 0\r\n\r\n`),
    ends: 'response_headers_too_large',
  },
  'drips 102': { does: dripping('', 'HTTP/1.1 102 Processing\r\n\r\n'), ends: 'timeout' },
  'says 100 and no more': { does: answering('HTTP/1.1 100 Continue\r\n\r\n'), ends: 'timeout' },
  'switches protocols': {
    does: answering('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
    ends: 'unasked_upgrade',
  },
  'answers 204': { does: answering('HTTP/1.1 204 No Content\r\n\r\n'), ends: 204 },
  'answers 204 with a body': { does: answering('HTTP/1.1 204 No Content\r\ncontent-length: 3\r\n\r\nabc'), ends: 204 },
  'redirects inside': { does: answering('HTTP/1.1 302 Found\r\nlocation: https://127.0.0.1/\r\ncontent-length: 0\r\n\r\n'), ends: 302 },
  'is no HTTP': { does: answering('SSH-2.0-OpenSSH_9.9\r\n'), ends: 'protocol_error' },
  'speaks HTTP/2': { does: answering(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])), ends: 'protocol_error' },
  'has a header without a name': { does: answering(`${ok}: x\r\n\r\n`), ends: 'protocol_error' },
  'has two lengths': { does: answering(`${ok}content-length: 1\r\ncontent-length: 2\r\n\r\nab`), ends: 'protocol_error' },
  'answers twice': { does: answering(`${ok}content-length: 0\r\n\r\n${ok}content-length: 0\r\n\r\n`), ends: 200 },
};

/** Servers on this machine that behave like this, each under a name of its own. */
export async function startHostileReceivers(): Promise<{
  readonly developmentHosts: DevelopmentHosts;
  /** The address of the receiver with this behaviour, or of one that nobody listens at. */
  url(behaviour: string): string;
  close(): Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-hostile-'));
  const names = ['*.hooks.test'];
  const expired = await ensureDevelopmentTls(folder, names, new Date(Date.now() - 500 * 24 * 60 * 60 * 1000));
  const valid = await ensureReceiverTls(folder, names);
  const wrongName = await ensureDevelopmentTls(folder, ['other.test', 'another.test']);
  const untrusted = await ensureDevelopmentTls(join(folder, 'own'), names);
  const hostOf = (behaviour: string) => `${behaviour.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.hooks.test`;
  const commonName = await commonNameAlone(folder, hostOf('has its name as the common name alone'));
  await rm(folder, { recursive: true });
  const tls: Readonly<Record<Exclude<Behaviour['on'], 'connection' | undefined>, TlsOptions>> = {
    request: optionsOf(valid),
    expired: optionsOf(expired),
    wrongName: optionsOf(wrongName),
    commonName,
    untrusted: optionsOf(untrusted),
    dhe: { ...(await rsaCertificate()), maxVersion: 'TLSv1.2', ciphers: 'DHE-RSA-AES128-GCM-SHA256', dhparam: 'auto' },
    ffdhe: { ...optionsOf(valid), minVersion: 'TLSv1.3', ecdhCurve: 'ffdhe2048' },
    hybrid: { ...optionsOf(valid), ecdhCurve: 'X25519MLKEM768' },
    chain: optionsOf(hostileChain(7)),
    longChain: optionsOf(hostileChain(75)),
    ownCurve: optionsOf(hostileChain(1, 'ownCurve')),
    curve: { ...optionsOf(valid), ecdhCurve: 'X25519' },
    clientCertificate: { ...optionsOf(valid), minVersion: 'TLSv1.3', requestCert: true, rejectUnauthorized: true },
    tls12: { ...optionsOf(valid), maxVersion: 'TLSv1.2' },
  };
  const sockets = new Set<Socket>();
  const servers: Server[] = [];
  const hosts = new Map<string, { address: string; port: number }>();
  for (const [name, { on = 'request', does }] of Object.entries(hostileBehaviours)) {
    const behave = (socket: Socket): void => void socket.on('error', nothing).on('data', () => does(socket));
    const server = on === 'connection' ? createServer((socket) => does(socket)) : createTlsServer(tls[on], behave);
    server.on('tlsClientError', nothing);
    server.prependListener('connection', (socket: Socket) => {
      bare.set(portsOf(socket), socket);
      sockets.add(socket.on('error', nothing).on('close', () => sockets.delete(socket)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    hosts.set(hostOf(name), { address: '127.0.0.1', port: (server.address() as AddressInfo).port });
  }
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
  hosts.set(hostOf('nobody listens'), { address: '127.0.0.1', port: (free.address() as AddressInfo).port });
  await new Promise((resolve) => free.close(resolve));
  return {
    developmentHosts: { hosts, caPem: valid.caPem },
    url: (behaviour) => `https://${hostOf(behaviour)}/webhooks`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

const optionsOf = ({ certPem, keyPem }: { certPem: string; keyPem: string }): TlsOptions => ({ cert: certPem, key: keyPem });

/** By the authority of this folder, without alternative names, as servers had them in the last century. */
async function commonNameAlone(folder: string, name: string): Promise<TlsOptions> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const authority = new X509Certificate(await readFile(join(folder, 'ca.pem')));
  const key = createPrivateKey(await readFile(join(folder, 'ca.key')));
  const keys = await globalThis.crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    issuer: [{ CN: [authority.subject.replace(/^CN=/, '')] }],
    subject: [{ CN: [name] }],
    notBefore: new Date(authority.validFrom),
    notAfter: new Date(authority.validTo),
    publicKey: keys.publicKey,
    signingKey: key.toCryptoKey(algorithm, false, ['sign']),
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
  });
  return { cert: certificate.toString('pem'), key: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }) };
}

/** Of its own authority: anyone who gets as far as the certificate says `certificate_untrusted`. */
async function rsaCertificate(): Promise<TlsOptions> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 2048 };
  const keys = await globalThis.crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({ name: 'CN=hooks.test', keys, signingAlgorithm: algorithm });
  return { cert: certificate.toString('pem'), key: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }) };
}
