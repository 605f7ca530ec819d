import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { securityTxt } from '../../../server/platform/http/securityTxt.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';

const day = 86_400_000;
const path = '/.well-known/security.txt';
const contact = { url: 'mailto:security@service.example', text: 'security@service.example' };
const origins = ['https://portal.example', 'https://api.example', 'http://localhost:3000', ''];

const expiryOf = (text: string) => new Date(/^Expires: (.*)$/m.exec(text)?.[1] ?? '').getTime();

test('the file says whom to write to, in which language, and where it stands on hosts that encrypt', () => {
  expect(securityTxt({ contact, origins }, new Date('2026-11-22T10:20:30.456Z'))).toBe(
    [
      'Contact: mailto:security@service.example',
      'Expires: 2027-05-21T00:00:00Z',
      'Preferred-Languages: en',
      'Canonical: https://portal.example/.well-known/security.txt',
      'Canonical: https://api.example/.well-known/security.txt',
      '',
    ].join('\n'),
  );
});

test('the file never runs out, and never promises a year', () => {
  const start = Date.parse('2026-11-22T23:59:59.999Z');
  for (let days = 0; days <= 1_500; days += 1) {
    const now = start + days * day;
    const left = expiryOf(securityTxt({ contact, origins }, new Date(now))) - now;
    expect(left).toBeGreaterThan(90 * day);
    expect(left).toBeLessThan(365 * day);
  }
});

describe('on the machine API’s host', () => {
  let world: MachineWorld;
  beforeAll(async () => {
    world = await openWorld({
      machine: { supportContact: contact, publicUrl: 'https://api.example', unauthenticatedRequestsPerMinute: 3 },
    });
  });
  afterAll(() => world.close());

  test('it needs no certificate, and counts against the limit of the caller’s address', async () => {
    const stranger = world.connect(undefined, world.api, { localAddress: '127.0.0.2' });
    const answer = await stranger.call(path, { describe: false });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.text).toBe(securityTxt({ contact, origins: ['https://api.example'] }, world.clock.now()));
    expect((await stranger.call(path, { method: 'HEAD', describe: false })).text).toBe('');
    const other = await stranger.call(path, { method: 'POST', body: {}, describe: false });
    expect([other.status, other.headers['allow']]).toEqual([405, 'GET, HEAD']);
    expect((await stranger.call(path, { describe: false })).status).toBe(429);
    const neighbour = world.connect(undefined, world.api, { localAddress: '127.0.0.3' });
    expect((await neighbour.call(path, { describe: false })).status).toBe(200);
  });
});
