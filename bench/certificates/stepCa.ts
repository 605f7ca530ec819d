import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '../../server/database/freePort.ts';
import { ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';
import type { StepCa } from '../programs/stepCaRequester.ts';

/** The authority that issuing is measured against (Apache-2.0), a module of Go that is built where Go is. */
const release = 'v0.30.2';
const program = path.resolve(`node_modules/.cache/step-ca-${release}/step-ca`);
const provisioner = 'bench';

/** The path of its program, which is built once and takes some minutes; null without Go. */
function buildStepCa(): string | null {
  if (existsSync(program)) return program;
  if (spawnSync('go', ['version']).status !== 0) return null;
  console.error(`Building step-ca ${release} once, which takes some minutes.`);
  const env = { ...process.env, GOBIN: path.dirname(program), CGO_ENABLED: '0' };
  const built = spawnSync('go', ['install', `github.com/smallstep/certificates/cmd/step-ca@${release}`], { env, stdio: 'ignore' });
  return built.status === 0 ? program : null;
}

/**
 * Starts step-ca in this folder with what it has by default: its own database (Badger), and a provisioner whose tokens allow one certificate each.
 * Null where it cannot be built.
 */
export async function startStepCa(folder: string): Promise<{ stepCa: StepCa; stop: () => Promise<void> } | null> {
  const built = buildStepCa();
  if (built === null) return null;
  const tls = path.join(folder, 'tls');
  await mkdir(tls, { recursive: true });
  const { caPem } = await ensureDevelopmentTls(tls);
  const port = await findFreePort();
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const configuration = path.join(folder, 'ca.json');
  const settings = {
    root: path.join(tls, 'ca.pem'),
    crt: path.join(tls, 'ca.pem'),
    key: path.join(tls, 'ca.key'),
    address: `127.0.0.1:${port}`,
    dnsNames: ['localhost'],
    logger: { format: 'text' },
    db: { type: 'badgerv2', dataSource: path.join(folder, 'db') },
    authority: {
      provisioners: [
        { type: 'JWK', name: provisioner, key: { ...publicKey.export({ format: 'jwk' }), kid: provisioner, use: 'sig', alg: 'ES256' } },
      ],
    },
  };
  await writeFile(configuration, JSON.stringify(settings));
  const running = spawn(built, [configuration], { stdio: ['ignore', 'ignore', 'pipe'] });
  const stop = async () => {
    const ended = once(running, 'exit');
    running.kill();
    await ended;
  };
  for await (const line of createInterface(running.stderr)) if (line.includes('Serving HTTPS')) break;
  running.stderr.resume();
  const privateKeyPem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  return { stepCa: { port, caPem, provisioner, privateKeyPem }, stop };
}
