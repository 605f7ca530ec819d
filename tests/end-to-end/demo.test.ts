import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DemoReceiver } from '../../demo/DemoReceiver.ts';
import { saveDemoFiles } from '../../demo/demoFiles.ts';
import { runDemo } from '../../demo/runDemo.ts';
import { runSmoke } from '../../demo/smoke/runSmoke.ts';
import type { WebhookOptions } from '../../demo/webhooks.ts';
import { ensureReceiverTls } from '../../server/platform/developmentTls.ts';
import { findFreePort } from '../../server/database/freePort.ts';
import { TestClock } from '../support/world/TestClock.ts';
import { openWorld, type MachineWorld, type PortalWorld } from '../support/world/openWorld.ts';

describe('the scripted operator', () => {
  let application: PortalWorld & MachineWorld;
  let folder: string;
  let tlsFolder: string;
  let port: number;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-demo-'));
    tlsFolder = join(folder, 'tls');
    port = await findFreePort();
    const { caPem } = await ensureReceiverTls(tlsFolder, ['receiver.test']);
    const webhookHosts = { hosts: new Map([['receiver.test', { address: '127.0.0.1', port }]]), caPem };
    application = await openWorld({ portal: { webhookHosts }, machine: true, workers: true, clock: new TestClock().stop() });
    // The kit would wait for the next minute, and the clock stands still.
    await application.rows(`
      create function allow_more() returns trigger language plpgsql as $$
      begin
        insert into quota_override (client_number, quota, value, reason, created_at) values (new.number, 'requests_per_minute', 600, 'test', now());
        return new;
      end $$`);
    await application.rows('create trigger allow_more after insert on client for each row execute function allow_more()');
  });
  afterAll(async () => {
    await application?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the demo into a folder of its own; the printed lines as one text. */
  async function demo(name: string, scopes?: readonly string[], webhooks?: WebhookOptions): Promise<{ out: string; printed: string }> {
    const out = join(folder, name);
    const lines: string[] = [];
    await runDemo({ portal: application.portalUrl, out, scopes, ...(webhooks && { webhooks }), print: (line) => lines.push(line) });
    return { out, printed: lines.join('\n') };
  }

  /** The commands that are printed at the end, for trying. */
  const commandsIn = (printed: string) => printed.split('\n').filter((line) => line.startsWith('  curl '));

  /** What the key of the only run into a folder is called, by environment and month. */
  async function keyNameIn(out: string): Promise<string> {
    const keys = (await readdir(out)).filter((name) => name.endsWith('.key'));
    expect(keys).toEqual([expect.stringMatching(/^sandbox-\d{4}-\d\d\.key$/)]);
    return keys[0]?.slice(0, -'.key'.length) ?? '';
  }

  test('registers, gets a certificate and syncs the whole sandbox', async () => {
    const { out, printed } = await demo('everything');

    expect(printed).toContain('500 orders, 50 vehicles, 1 tombstone in 2 pages');
    expect(printed).toContain('304, nothing new');
    expect(printed).toContain('Read one order');
    expect(printed).toContain('Read one vehicle');
    const name = join(out, await keyNameIn(out));
    const curl = `curl -sS --cacert ${join(out, 'ca.pem')} --cert ${name}.pem --key ${name}.key`;
    expect(commandsIn(printed)).toEqual(
      ['capabilities', 'sync?limit=10', 'statistics/orders'].map((path) =>
        expect.stringMatching(`${curl} .*/v1/${path.replace('?', '.')}`),
      ),
    );
  });

  test('goes through the whole life of a share, then statistics, then a P12 package from its request to the revocation', async () => {
    const { out, printed } = await demo('life');
    const said = [
      /Create a sandbox link code .* for 12 orders and 12 vehicles; not printed here/,
      /Redeem it .* con_\w{26}, 24 resources/,
      /Redeem it again .* 404 link_code_not_redeemable/,
      /Sync what is new .* 24 new resources, all from this connection/,
      /Advance one (order|vehicle) .* \w+ → \w+/,
      /See it in the sync .* revision \d+ → \d+/,
      /Find it in the history .* \d+ entries/,
      /The user revokes it .* delete by \d{4}-\d\d-\d\d/,
      /Read it once more .* 410 access_ended/,
      /See the tombstone in the sync .* rev_\w{26}/,
      /Acknowledge the deletion, twice .* same key, same response; the portal shows it/,
      /Read the statistics .* \d+ groups, each of at least 20 users/,
      /Request a P12 package .* crt_\w{26}/,
      /Wait until it is ready .* to be claimed within 15 minutes/,
      /Claim it .* sandbox-\d{4}-\d\d-2\.p12 and its password; neither is printed or saved here/,
      /Claim it again .* refused: a package is handed over once/,
      /Call with the package .* 200, opened from sandbox-\d{4}-\d\d-2\.p12/,
      /Revoke its certificate .* the first certificate works until its own end again/,
      /Call with it once more .* 401 client_certificate_revoked, on the same connection/,
    ];
    const lines = printed.split('\n');
    const places = said.map((pattern) => lines.findIndex((line) => pattern.test(line)));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(printed).not.toMatch(/(^|\D)\d{10}(\D|$)/m);
    const { clientId } = JSON.parse(await readFile(join(out, 'demo.json'), 'utf8')) as { clientId: string };
    const { rows } = await application.pool.query(
      'select r.subject_type, r.acknowledged_late from revocation r join client c on c.number = r.client_number where c.id = $1 and r.acknowledged_at is not null',
      [clientId],
    );
    expect(rows).toEqual([{ subject_type: 'resource', acknowledged_late: false }]);
  });

  test('leaves a key that only its owner can read, the chain for it, and the facts: all that the check of a running service needs', async () => {
    const { out, printed } = await demo('files');
    const file = (name: string) => readFile(join(out, name), 'utf8');
    const name = await keyNameIn(out);
    const facts: unknown = JSON.parse(await file('demo.json'));
    const chain = (await file(`${name}.pem`)).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    const [leaf = ''] = chain;

    expect((await stat(join(out, `${name}.key`))).mode & 0o777).toBe(0o600);
    expect(new X509Certificate(leaf).checkPrivateKey(createPrivateKey(await file(`${name}.key`)))).toBe(true);
    expect(chain.length).toBeGreaterThan(1);
    expect(await file('ca.pem')).toBe(application.machineApiCa);
    expect(facts).toMatchObject({
      integrationId: expect.stringMatching(/^int_/),
      clientId: expect.stringMatching(/^cli_/),
      baseUrl: `${application.machineApiUrl}/v1`,
      key: join(out, `${name}.key`),
      certificate: join(out, `${name}.pem`),
    });

    const again = await saveDemoFiles(out, name, { key: 'another key', cert: '', ca: '' }, {});
    expect(again.key).toBe(join(out, `${name}-2.key`));
    expect(await file(`${name}.key`)).toContain('PRIVATE KEY');
    expect(printed).not.toContain('PRIVATE KEY');

    const smoke = async () => {
      const lines: string[] = [];
      const { portalUrl: portal, machineApiUrl: api, machineApiCa: ca, clock } = application;
      const pem = { cert: await file(`${name}.pem`), key: await file(`${name}.key`), ca };
      await runSmoke({ ...pem, api, portal, pages: 1, now: clock.now(), print: (line) => lines.push(line) });
      return lines.join('\n');
    };
    await application.pool.query('update client set scopes = $1 where id = $2', [
      ['orders.read'],
      (facts as { clientId: string }).clientId,
    ]);
    // The demo has used up most of this minute.
    await application.pool.query('update client_quota set minute_count = 0');
    // Whether a service is ready also depends on its clock.
    application.clock.run();
    expect((await smoke()).split('\n').map((line) => line.replace(/ +\d+\.\d\d s +/, ': ').trim())).toEqual([
      '1  The portal is ready: 200',
      expect.stringMatching(/Its keys of signed deliveries: \d published/),
      expect.stringMatching(/The revocation list: \d+ entries, good until 20/),
      '4  A call without a certificate: 401 client_certificate_required',
      '5  Read the capabilities: sandbox, integration sandbox, the certificate is good for 89 more days',
      expect.stringMatching(/Sync: \d+ records in 1 page, and there are more; then 304; read ord_/),
      '7  Read the statistics: 403 scope_required, as it should be',
      '',
      'All is well. 5 requests counted towards the quota of this client.',
    ]);
    const revoke = "update certificate set status = 'revoked', revoked_at = now(), revocation_reason = 'key_compromise' where serial = $1";
    await application.pool.query(revoke, [new X509Certificate(leaf).serialNumber.toLowerCase()]);
    // The workers may have published it by now.
    await expect(smoke()).rejects.toThrow(
      /^(Read the capabilities: .*\(status 401, code client_certificate_revoked, request req_\w+\)|The revocation list: The certificate is on the revocation list\.)$/,
    );
    application.clock.stop();
  });

  test('sees orders alone with an integration that asked for them alone, then goes through the whole life of an endpoint', async () => {
    const passTime = (milliseconds: number) => application.clock.advance(milliseconds);
    const { printed } = await demo('orders', ['orders.read'], { tlsFolder, port, passTime });

    expect(printed).toContain('500 orders, 0 vehicles, 1 tombstone');
    expect(printed).toContain('for 12 orders and 0 vehicles');
    expect(printed).toContain('410 access_ended');
    for (const other of ['Read one vehicle', 'history', 'Acknowledge', 'statistics']) expect(printed).not.toContain(other);

    const said = [
      /Start a receiver .* https:\/\/receiver\.test\/svc/,
      /Register its URL .* whk_\w{26}/,
      /Prove it .* passed: /,
      /Advance one order, and receive it .* evt_\w{26}: digest and signature verified/,
      /Deliver it once more .* answered 2xx, and not applied again/,
      /Stop it, and advance one order .* connection_refused; it is tried again/,
      /Start it, and wait for the retry .* evt_\w{26} with attempt 2/,
      /Misconfigure it, and advance one .* 400 unexpected environment: a dead letter/,
      /Mend it, and replay what failed .* evt_\w{26}, delivered/,
      /Remove the endpoint .* removed/,
    ];
    const lines = printed.split('\n');
    const places = said.map((pattern) => lines.findIndex((line) => pattern.test(line)));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('says which port is taken, what may have it and what to do, where a receiver runs already', async () => {
    const held = createServer();
    try {
      const taken = (await once(held.listen(0, '127.0.0.1'), 'listening').then(() => held.address())) as AddressInfo;
      const database = join(folder, 'second-receiver.db');
      const place = { url: 'https://receiver.test/svc', jwksUrl: application.portalUrl, source: application.machineApiUrl };
      const second = new DemoReceiver({ ...place, port: taken.port, tlsFolder, database });
      await expect(second.start('sandbox')).rejects.toThrow(
        `Port ${taken.port} of this machine is in use, perhaps by a receiver that you have started or by another demo. Stop it, and start the demo again.`,
      );
      await second.stop();
    } finally {
      held.close();
    }
  });

  test('sees stock vehicles alone with an integration that asked for them alone', async () => {
    const { printed } = await demo('vehicles', ['vehicles.read'], { tlsFolder: join(folder, 'none'), port });

    expect(printed).toContain('0 orders, 50 vehicles, 1 tombstone');
    expect(printed).toContain('for 0 orders and 12 vehicles');
    expect(printed).toContain('410 access_ended');
    expect(printed).not.toContain('Read one order');
    expect(printed).toContain('The webhooks are left out');
  });

  test('reads statistics alone with an integration that sees nothing individual', async () => {
    const { printed } = await demo('statistics', ['statistics.orders.read', 'revocations.ack']);

    expect(printed).toContain('403 scope_required: these scopes give no access to individual data');
    expect(printed).toMatch(/Read the statistics .* \d+ groups, each of at least 20 users/);
    expect(printed).not.toContain('Create a sandbox link code');
    expect(commandsIn(printed)).toEqual([expect.stringMatching(/\/capabilities$/), expect.stringMatching(/\/statistics\/orders$/)]);
  });

  test('stops at a surprise with the step, the status, the code and the request id', async () => {
    await expect(demo('wrong', ['orders.read', 'everything.read'])).rejects.toThrow(
      /^Create an integration: There is no scope "everything\.read"\. \(status 200, code BAD_USER_INPUT, request req_\w+\)$/,
    );
    await expect(demo('dead', ['vehicles.read', 'shipping.read'])).rejects.toThrow(
      /^Create an integration: .*shipping\.read shows nothing without orders\.read\. Add orders\.read, or leave shipping\.read out\./,
    );
    const nobody = `http://localhost:${await findFreePort()}`;
    await expect(runDemo({ portal: nobody, out: folder, print: () => {} })).rejects.toThrow(
      `Find the service: Nothing responds at ${nobody} (ECONNREFUSED). Is \`npm start\` running there?`,
    );
  });
});
