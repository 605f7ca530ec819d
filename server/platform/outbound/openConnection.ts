import { constants } from 'node:crypto';
import type { Socket } from 'node:net';
import { checkServerIdentity, connect, type TLSSocket } from 'node:tls';
import { KiB } from '../../domain/shared/limits.ts';
import type { OutboundErrorKind, OutboundStep } from '../../domain/webhook/WebhookTransport.ts';
import { HandshakeInspection, type HandshakeRefusal } from '../handshake/HandshakeInspection.ts';
import { InspectedConnection } from '../handshake/InspectedConnection.ts';
import { tlsGroups } from '../tlsGroups.ts';
import type { Cutoff } from './Cutoff.ts';
import { dial } from './dial.ts';
import { OutboundError, outboundError } from './OutboundError.ts';
import { kindOfAddress } from './publicAddress.ts';
import type { Resolve } from './resolveAll.ts';

/** Names that lead to one loopback address each, with certificates of an authority of their own; every other name takes the guarded way. */
export type DevelopmentHosts = {
  readonly hosts: ReadonlyMap<string, { readonly address: string; readonly port: number }>;
  readonly caPem: string;
};

export type Way = {
  readonly resolve: Resolve;
  readonly allowAddress: (address: string) => boolean;
  readonly port: number;
  readonly developmentHosts: DevelopmentHosts | undefined;
};

/** What is known of a connection that is being made. It is filled in step by step, so that a failure shows how far it came. */
export type Progress = {
  phase: 'dns' | 'connect' | 'tls';
  addresses: readonly string[];
  address: string | null;
  dnsUs: number | null;
  connectUs: number | null;
  tlsUs: number | null;
};

type Opening = {
  readonly host: string;
  readonly way: Way;
  readonly progress: Progress;
  readonly cutoff: Cutoff;
  readonly onStep: ((step: OutboundStep) => void) | undefined;
};

/**
 * What a server may make of a handshake, before its certificate is looked at. With DHE it would choose a prime whose arithmetic stops this
 * process for seconds; with renegotiation, one handshake would follow another without a byte that the limits count.
 */
const cheapHandshakes = {
  ciphers: `TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:${['ECDSA', 'RSA']
    .flatMap((key) => ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'].map((cipher) => `ECDHE-${key}-${cipher}`))
    .join(':')}`,
  ecdhCurve: tlsGroups,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};

/**
 * What a server may send until its certificate has been looked at, in bytes. The chains of public authorities, with four certificates of RSA, take
 * up to 8 KiB, the key exchange one or two.
 */
export const handshakeBytes = 12 * KiB;

/** No public authority signs keys that are not usual ones. */
const refusals: Readonly<Record<HandshakeRefusal, OutboundErrorKind>> = {
  too_large: 'tls_handshake_too_large',
  unreadable: 'tls_failure',
  unusual_key: 'certificate_untrusted',
};

/** How many of a name’s addresses one attempt tries. */
const mostTried = 4;

export const microseconds = (since: number): number => Math.round((performance.now() - since) * 1_000);

/**
 * Finds all addresses of the host, refuses the name unless each of them is public, connects to one of them, checks the address at the other
 * end, and holds the certificate against the name. Rejects with `OutboundError`.
 */
export async function openConnection(opening: Opening): Promise<TLSSocket> {
  const { host, way, progress, cutoff, onStep } = opening;
  const mapped = way.developmentHosts?.hosts.get(host);
  const addresses = mapped ? [mapped.address] : await checkedAddresses(opening);
  const started = performance.now();
  progress.phase = 'connect';
  onStep?.({ name: 'addresses', addresses: progress.addresses });
  const { socket, address } = await dial({
    addresses,
    port: mapped?.port ?? way.port,
    allowAddress: mapped ? () => true : way.allowAddress,
    trying: (tried) => void (progress.address = tried),
    cutoff,
  });
  progress.address = address;
  progress.connectUs = microseconds(started);
  progress.phase = 'tls';
  onStep?.({ name: 'connection', address });
  return secure(socket, opening, mapped && way.developmentHosts?.caPem);
}

async function checkedAddresses({ host, way, progress, cutoff }: Opening): Promise<readonly string[]> {
  const started = performance.now();
  progress.addresses = await answerOf(way.resolve(host), cutoff).finally(() => (progress.dnsUs = microseconds(started)));
  const refused = progress.addresses.filter((address) => !way.allowAddress(address));
  if (refused.length > 0) throw new OutboundError('no_public_address', [...new Set(refused.map(kindOfAddress))]);
  if (progress.addresses.length === 0) throw new OutboundError('no_public_address', ['no address']);
  return inTurn(progress.addresses).slice(0, mostTried);
}

function answerOf(answer: Promise<readonly string[]>, cutoff: Cutoff): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const uncut = cutoff.onCut(reject);
    answer.finally(uncut).then(resolve, (error: { code?: string }) => {
      const { code = '' } = error;
      if (code === 'ETIMEOUT') reject(new OutboundError('dns_timeout'));
      // No question could even be asked, for instance because this process can open no more sockets.
      else if (code === 'ECONNREFUSED') reject(new OutboundError('service_error'));
      else reject(new OutboundError('no_public_address', ['no answer']));
    });
  });
}

/** Begins anywhere, so that load spreads as the name’s owner meant it to, and lets the two families take turns (RFC 8305, section 4). */
function inTurn(addresses: readonly string[]): string[] {
  const start = Math.floor(Math.random() * addresses.length);
  const turned = [...addresses.slice(start), ...addresses.slice(0, start)];
  const six = turned.filter((address) => address.includes(':'));
  const four = turned.filter((address) => !address.includes(':'));
  const families = turned[0] === six[0] ? [six, four] : [four, six];
  return turned.flatMap((_, place) => families.flatMap((family) => family[place] ?? []));
}

function secure(socket: Socket, { host, progress, cutoff, onStep }: Opening, ca: string | undefined): Promise<TLSSocket> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const inspection = new HandshakeInspection('server', handshakeBytes);
    const inspected = new InspectedConnection(socket, inspection, (refusal) => fail(new OutboundError(refusals[refusal])));
    const secured = connect({
      socket: inspected,
      servername: host,
      ALPNProtocols: ['http/1.1'],
      minVersion: 'TLSv1.2',
      ...cheapHandshakes,
      // The default, unless somebody has changed it by an environment variable.
      rejectUnauthorized: true,
      // Without a DNS name, Node would take the common name, which names no server any more (RFC 9525, section 2).
      checkServerIdentity: (name, certificate) =>
        checkServerIdentity(name, { ...certificate, subject: { ...certificate.subject, CN: '' } }),
      ...(ca !== undefined && { ca }),
    });
    inspected.secured = secured;
    // Replaced below, unless it is cut off already, in which case there is nothing to take back.
    let uncut = (): void => {};
    const fail = (error: unknown): void => {
      uncut();
      reject(outboundError(error, 'tls_failure'));
      secured.destroy();
    };
    uncut = cutoff.onCut(fail);
    // They stay, because a connection may fail while it is idle.
    secured.on('error', fail);
    secured.once('close', () => fail({ code: 'ECONNRESET' }));
    secured.on('keylog', (line: Buffer) => inspection.learn(line));
    secured.once('secureConnect', () => {
      uncut();
      inspected.complete();
      progress.tlsUs = microseconds(started);
      onStep?.({ name: 'tls' });
      resolve(secured);
    });
  });
}
