import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorClient, pemFiles, type ClientOptions, type Credentials } from '../../../kit/src/index.ts';
import type { MachineWorld } from '../world/openWorld.ts';
import type { TestCertificate } from '../world/Fixtures.ts';

type Pair = Pick<TestCertificate, 'certPem' | 'keyPem'>;

/** Writes a certificate and its key where an operator would keep them. */
export async function pairInFiles(world: MachineWorld, { certPem, keyPem }: Pair): Promise<{ cert: string; key: string }> {
  const folder = await mkdtemp(join(world.folder, 'pair-'));
  const files = { cert: join(folder, 'client.pem'), key: join(folder, 'client.key') };
  await writeFile(files.cert, certPem);
  await writeFile(files.key, keyPem, { mode: 0o600 });
  return files;
}

/** The operators’ kit as a client of the world’s machine API. Whatever it waits for, the world’s clock moves on to, and `waits` has it. */
export async function kitClient(
  world: MachineWorld,
  certificate: Pair | Credentials,
  options: Partial<ClientOptions> = {},
): Promise<{ client: OperatorClient; waits: number[] }> {
  const waits: number[] = [];
  const client = new OperatorClient({
    baseUrl: `${world.machineApiUrl}/v1`,
    credentials: 'current' in certificate ? certificate : pemFiles(await pairInFiles(world, certificate)),
    expect: { environment: 'sandbox' },
    ca: world.machineApiCa,
    time: {
      now: () => world.clock.now().getTime(),
      wait(ms, signal) {
        signal?.throwIfAborted();
        waits.push(ms);
        world.clock.advance(ms);
        return Promise.resolve();
      },
    },
    ...options,
  });
  world.onClose(() => client.close());
  return { client, waits };
}
