import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';
import { keepServerPair, type KeptPair } from '../../server/platform/tls/keepServerPair.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { serverContext } from '../../server/platform/tls/serverContext.ts';

let folder: string;
let lines: string[];
let heard: () => void;
let stop: (() => Promise<unknown> | void)[];
let kept: KeptPair;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-pair-'));
  for (const name of ['first', 'second', 'shown']) await ensureDevelopmentTls(join(folder, name));
  lines = [];
  heard = () => {};
  stop = [];
  const write = (line: string) => {
    lines.push(line);
    heard();
  };
  kept = await keepServerPair({
    files: {
      certFile: join(folder, 'shown/server.pem'),
      keyFile: join(folder, 'shown/server.key'),
      variables: { cert: 'PORTAL_TLS_CERT_FILE', key: 'PORTAL_TLS_KEY_FILE' },
    },
    logger: createLogger('test', 'info', { write }),
    onStop: (_name, end) => stop.push(end),
    everyMs: 5,
  });
});
afterEach(async () => {
  for (const end of stop) await end();
  await rm(folder, { recursive: true, force: true });
});

/** In one step, as whatever renews certificates does. */
const put = async (from: string, name: string) => {
  await cp(join(folder, from, name), join(folder, 'next'));
  await rename(join(folder, 'next'), join(folder, 'shown', name));
};
const logged = async (event: string) => {
  while (!lines.some((line) => line.includes(event))) await new Promise<void>((resolve) => (heard = resolve));
};

test('a renewed pair is shown to new connections; those that stand go on', async () => {
  const server = createServer(serverContext(kept), (socket) => socket.pipe(socket));
  kept.onChange(() => server.setSecureContext(serverContext(kept)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const open = async (): Promise<TLSSocket> => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    return socket;
  };
  const before = await open();
  await put('second', 'server.key');
  await put('second', 'server.pem');
  await logged('tls.renewed');
  const after = await open();
  expect(after.getPeerCertificate().serialNumber).not.toBe(before.getPeerCertificate().serialNumber);
  before.write('still here');
  expect(String((await once(before, 'data'))[0])).toBe('still here');
  for (const socket of [before, after]) socket.destroy();
  server.close();
});

test('while the files do not belong together, the pair before is kept, and the log says so once', async () => {
  const { certPem, keyPem } = kept;
  await put('first', 'server.pem');
  await logged('tls.notRenewed');
  expect([kept.certPem, kept.keyPem]).toEqual([certPem, keyPem]);
  await put('first', 'server.key');
  await logged('tls.renewed');
  expect(kept.certPem).not.toBe(certPem);
  expect(lines.filter((line) => line.includes('PORTAL_TLS_KEY_FILE: must be the key'))).toHaveLength(1);
});
