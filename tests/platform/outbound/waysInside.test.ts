import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOutbound, type Outbound } from '../../../server/platform/outbound/createOutbound.ts';
import { isPublicAddress } from '../../../server/platform/outbound/publicAddress.ts';
import { createResolver } from '../../../server/platform/outbound/resolveAll.ts';
import { startNameServer, type Zone } from '../../support/clients/nameServer.ts';
import { WebhookReceiver } from '../../support/clients/webhookReceiver.ts';
import { webhookUrlRefusal } from '../../../server/domain/webhook/endpoint/webhookUrlRules.ts';
import { insideAddresses, insideNames, insideUrls } from './targetsInside.ts';

/** Names whose answers lead inside, or nowhere. What is public in them is an address that nobody has. */
const aPublic = '8.255.255.254';
const zone: Zone = {
  'private.example': ['10.0.0.1'],
  'loopback.example': ['127.0.0.1'],
  'loopback-six.example': ['::1'],
  'mixed.example': [aPublic, '127.0.0.1'],
  'mixed-families.example': [aPublic, '::1'],
  'mapped.example': [aPublic, '0:0:0:0:0:ffff:7f00:1'],
  'many.example': [...Array.from({ length: 25 }, (_, last) => `8.255.255.${last}`), '127.0.0.1'],
  'alias.example': { cname: 'alias-two.example' },
  'alias-two.example': { cname: 'alias-three.example' },
  'alias-three.example': { cname: 'loopback.example' },
  'alias-mixed.example': { cname: 'mixed.example' },
  'alias-loop.example': { cname: 'alias-loop.example' },
  'alias-nowhere.example': { cname: 'absent.example' },
  'alias-localhost.example': { cname: 'localhost' },
  'empty.example': [],
  'failing.example': 'server failure',
  'AAAA half-failing.example': 'server failure',
  'half-failing.example': [aPublic],
  'metadata.example': ['169.254.169.254'],
  'unspecified.example': ['0.0.0.0'],
};
const leadNowhere = [
  'alias-loop.example',
  'alias-nowhere.example',
  'alias-localhost.example',
  'empty.example',
  'failing.example',
  'half-failing.example',
  'absent.example',
  'localhost.localdomain',
  'ip6-localhost.example',
];

let listener: Server;
let port: number;
let connections = 0;
let nameServer: Awaited<ReturnType<typeof startNameServer>>;
const ways: Outbound[] = [];

beforeAll(async () => {
  listener = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {}).destroy();
  });
  // All addresses of this machine at once, of both families where it has them.
  await new Promise<void>((resolve) => {
    listener.once('error', () => listener.listen(0, '0.0.0.0', resolve));
    listener.listen(0, '::', resolve);
  });
  ({ port } = listener.address() as AddressInfo);
  nameServer = await startNameServer(zone);
});
afterAll(async () => {
  for (const way of ways) way.destroy();
  await nameServer.close();
  await new Promise((resolve) => listener.close(resolve));
});

const wayWith = (options: Parameters<typeof createOutbound>[0]): Outbound => {
  const way = createOutbound({ port, ...options });
  ways.push(way);
  return way;
};
const limits = { connectMs: 5_000, totalMs: 5_000, responseHeaderBytes: 16_384, responseBodyBytes: 8_192 };
const post = (way: Outbound, url: string, given: Partial<typeof limits> = {}) =>
  way.postGuarded({ url, headers: {}, body: Buffer.from('{}'), limits: { ...limits, ...given } });

test('the listener would notice: without the rule about addresses it is reached', async () => {
  const careless = wayWith({ resolve: () => Promise.resolve(['127.0.0.1']), allowAddress: () => true });
  expect(await post(careless, 'https://a.example/')).toMatchObject({ error: 'connection_reset' });
  expect(connections).toBe(1);
  connections = 0;
});

test('at least 120 targets inside are refused, and none of them is ever connected', async () => {
  expect(new Set([...insideAddresses, ...insideUrls, ...insideNames, ...Object.keys(zone)]).size).toBeGreaterThanOrEqual(120);
  for (const address of insideAddresses) {
    const answer = await post(wayWith({ resolve: () => Promise.resolve([address]) }), 'https://a.example/');
    expect([address, answer.error, answer.phases.connectUs]).toEqual([address, 'no_public_address', null]);
    expect(answer).toMatchObject({ addresses: [], address: null, about: [] });
    const mixed = await post(wayWith({ resolve: () => Promise.resolve([aPublic, address]) }), 'https://a.example/');
    expect([address, mixed.error, mixed.phases.connectUs]).toEqual([address, 'no_public_address', null]);
  }
  for (const url of insideUrls) {
    const resolve = () => Promise.reject(new Error(`${url} was resolved`));
    expect([url, (await post(wayWith({ resolve }), url)).error]).toEqual([url, 'url_not_allowed']);
  }
  expect(connections).toBe(0);
});

test.each([...insideUrls, ...insideNames.map((name) => `https://${name}/`)])('%j cannot be registered', (url) => {
  expect(webhookUrlRefusal(url)).toEqual(expect.any(String));
});

test('names that lead inside through real name servers, by aliases too, are refused before anything is connected', async () => {
  const { resolve } = createResolver([nameServer.server]);
  const told: string[] = [];
  const way = wayWith({ resolve, onNameRefused: ({ reasons }) => told.push(...reasons) });
  const names = Object.keys(zone).filter((name) => !name.startsWith('AAAA ') && !leadNowhere.includes(name));
  const answers = await Promise.all([...names, ...leadNowhere].map((name) => post(way, `https://${name}/`)));
  expect(Object.fromEntries([...names, ...leadNowhere].map((name, place) => [name, answers[place]?.error]))).toEqual(
    Object.fromEntries([...names, ...leadNowhere].map((name) => [name, 'no_public_address'])),
  );
  // What an owner reads does not tell whether such a name exists; what the workers log does.
  const seen = answers.map((answer) => JSON.stringify({ ...answer, phases: null }));
  expect(new Set(seen).size).toBe(1);
  expect([...new Set(told)].sort()).toEqual(
    ['ipv4 mapped', 'link local', 'loopback', 'no address', 'no answer', 'private', 'unspecified'].sort(),
  );
  expect(nameServer.asked).toContain('AAAA mixed.example');
  expect(connections).toBe(0);
});

test('name servers that never answer end the attempt within its limit', async () => {
  zone['silent.example'] = 'silence';
  const resolver = createResolver([nameServer.server]);
  const way = wayWith({ resolve: resolver.resolve });
  expect(await post(way, 'https://silent.example/', { connectMs: 100 })).toMatchObject({ error: 'dns_timeout', addresses: [] });
  resolver.cancel();
});

test('a name that leads elsewhere between looking and connecting changes nothing: each connection goes to what was looked at', async () => {
  const answers = [['127.0.0.9'], ['127.0.0.1'], ['127.0.0.9', '127.0.0.1']];
  let asked = 0;
  const reached: (string | undefined)[] = [];
  listener.prependListener('connection', (socket) => reached.push(socket.localAddress?.replace('::ffff:', '')));
  const rebinding = wayWith({
    resolve: () => Promise.resolve(answers[asked++ % answers.length]!),
    allowAddress: (address) => address === '127.0.0.9' || isPublicAddress(address),
  });
  const ends = [
    await post(rebinding, 'https://a.example/'),
    await post(rebinding, 'https://a.example/'),
    await post(rebinding, 'https://a.example/'),
  ];
  expect(ends.map(({ error }) => error)).toEqual(['connection_reset', 'no_public_address', 'no_public_address']);
  expect([asked, reached]).toEqual([3, ['127.0.0.9']]);
  connections = 0;
});

test('the address at the other end is looked at again, before a single byte is sent', async () => {
  let looked = 0;
  let bytes = 0;
  let open = 0;
  listener.removeAllListeners('connection');
  listener.on('connection', (socket) => {
    open += 1;
    socket.on('error', () => {}).on('data', (data: Buffer) => (bytes += data.length));
    socket.on('close', () => (open -= 1));
  });
  const way = wayWith({ resolve: () => Promise.resolve(['127.0.0.9']), allowAddress: () => (looked += 1) === 1 });
  expect(await post(way, 'https://a.example/')).toMatchObject({ error: 'no_public_address' });
  while (open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect([looked, bytes]).toEqual([2, 0]);
});

test('an address that is dead costs an attempt at a name with others only a moment', async () => {
  const receiver = await WebhookReceiver.start();
  try {
    const { address, port: receiving } = [...(receiver.url('two'), receiver.developmentHosts.hosts.values())][0]!;
    const way = wayWith({ port: receiving, resolve: () => Promise.resolve(['127.0.0.9', address]), allowAddress: () => true });
    // The receiver listens on one of them only, and its authority is not a public one: coming as far as TLS is enough.
    for (let time = 0; time < 6; time += 1) {
      expect(await post(way, 'https://two.hooks.test/')).toMatchObject({ error: 'certificate_untrusted', address });
    }
  } finally {
    await receiver.close();
  }
});

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '93.184.215.14',
  '100.63.255.255',
  '100.128.0.1',
  '172.32.0.1',
  '2606:4700:4700::1111',
  '2a00:1450::1',
  '2400::1',
])('the public address %s is allowed', (address) => expect(isPublicAddress(address)).toBe(true));
