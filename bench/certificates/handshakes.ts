import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { connect, type ConnectionOptions } from 'node:tls';
import {
  createIssuingAuthority,
  createRootAuthority,
  issueClientCertificate,
  newSerial,
} from '../../server/domain/certificate/certificateAuthority.ts';
import { generateSigningKey, softwareKey, softwareSigner } from '../../server/platform/keyStore.ts';
import { alternate, type Contender, type Effort, median, ratioOf, type Result } from '../measure.ts';
import type { HandshakeTask } from '../programs/handshakeServer.ts';
import type { World } from '../world.ts';

/** A handshake looks its issuer up among those that are trusted, which should cost next to nothing. */
const target = 0.8;
const atOnce = 8;
const day = 24 * 60 * 60 * 1000;

/** Handshakes of a client with a certificate of the first issuing authority, while the server trusts one, two or five beside the root. */
export async function measureHandshakes(world: World, effort: Effort): Promise<Result[]> {
  const { root, issuing, client } = await makeAuthorities(5);
  const { tls } = world.serverTask;
  const contender = async (trusted: number): Promise<Contender> => {
    const authorityPems = [root, ...issuing.slice(0, trusted)];
    const port = await world.start('handshakeServer').ask<number>({ tls, authorityPems } satisfies HandshakeTask);
    return (milliseconds) => handshakesFor(milliseconds, { port, host: '127.0.0.1', ca: world.caPem, servername: 'localhost', ...client });
  };
  const rates = await alternate({ one: await contender(1), two: await contender(2), five: await contender(5) }, effort);
  const line = (name: string, of: readonly number[]): Result => ({
    section: 'certificates',
    name: `handshakes with ${name} issuing authorities / with one`,
    ratio: ratioOf(of, rates.one),
    target: { atLeast: target },
    figures: `${median(of).toFixed(0)} and ${median(rates.one).toFixed(0)} handshakes/s by one process`,
  });
  return [line('two', rates.two), line('five', rates.five)];
}

async function handshakesFor(milliseconds: number, options: ConnectionOptions): Promise<number> {
  const began = performance.now();
  let handshakes = 0;
  const shake = async (): Promise<void> => {
    while (performance.now() - began < milliseconds) {
      await handshake(options);
      handshakes += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, shake));
  return (handshakes / (performance.now() - began)) * 1000;
}

/** Resolves when the server has accepted the certificate. With TLS 1.3, the client learns of that only from what the server sends. */
function handshake(options: ConnectionOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(options);
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    socket.on('error', reject);
    socket.on('close', () => (answer === 'trusted' ? resolve() : reject(new Error(`The server said: ${answer}.`))));
  });
}

async function makeAuthorities(count: number) {
  const now = Date.now();
  const lifetime = { notBefore: new Date(now - day), notAfter: new Date(now + 365 * day) };
  const rootKey = generateSigningKey('P-384');
  const root = await createRootAuthority({ commonName: 'Bench root', serial: newSerial(), ...lifetime, key: softwareKey(rootKey) });
  const signer = softwareSigner(root.pem, rootKey);
  const keys = Array.from({ length: count }, () => generateSigningKey('P-256'));
  const issuing = await Promise.all(
    keys.map((key, index) =>
      createIssuingAuthority({
        commonName: `Bench issuing ${index}`,
        serial: newSerial(),
        ...lifetime,
        signer,
        publicKeyDer: softwareKey(key).publicKeyDer,
      }),
    ),
  );
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [firstKey, first] = [keys[0] ?? Buffer.alloc(0), issuing[0]?.pem ?? ''];
  const leaf = await issueClientCertificate({
    signer: softwareSigner(first, firstKey),
    publicKeyDer: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }),
    commonName: 'svc:sandbox:cli_bench',
    serial: newSerial(),
    ...lifetime,
    notAfter: new Date(now + 30 * day),
    now: lifetime.notBefore,
    crlDistributionUrl: 'http://localhost/crl/bench.crl',
  });
  const client = { cert: leaf.pem + first, key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() };
  return { root: root.pem, issuing: issuing.map(({ pem }) => pem), client };
}
