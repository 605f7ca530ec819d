import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDemo } from '../../demo/runDemo.ts';
import { findFreePort } from '../../server/database/freePort.ts';
import { type Application, startApplication } from '../support/application.ts';

describe('the scripted operator', () => {
  let application: Application;
  let folder: string;

  beforeAll(async () => {
    application = await startApplication();
    folder = await mkdtemp(join(tmpdir(), 'svc-demo-'));
  });
  afterAll(async () => {
    await application?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the demo into a folder of its own; the printed lines as one text. */
  async function demo(name: string, scopes?: readonly string[]): Promise<{ out: string; printed: string }> {
    const out = join(folder, name);
    const lines: string[] = [];
    await runDemo({ portal: application.portalUrl, out, scopes, print: (line) => lines.push(line) });
    return { out, printed: lines.join('\n') };
  }

  test('registers, gets a certificate and syncs the whole sandbox', async () => {
    const { out, printed } = await demo('everything');

    expect(printed).toContain('500 orders, 50 vehicles, 1 tombstone in 2 pages');
    expect(printed).toContain('304, nothing new');
    expect(printed).toContain('Read one order');
    expect(printed).toContain('Read one vehicle');
    expect(printed).toContain(`curl --cacert ${join(out, 'ca.pem')} --cert ${join(out, 'client.pem')} --key ${join(out, 'client.key')}`);
  });

  test('leaves a key that only its owner can read, the chain for it, and the facts', async () => {
    const { out, printed } = await demo('files');
    const file = (name: string) => readFile(join(out, name), 'utf8');
    const facts: unknown = JSON.parse(await file('demo.json'));
    const chain = (await file('client.pem')).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    const [leaf = ''] = chain;

    expect((await stat(join(out, 'client.key'))).mode & 0o777).toBe(0o600);
    expect(new X509Certificate(leaf).checkPrivateKey(createPrivateKey(await file('client.key')))).toBe(true);
    expect(chain.length).toBeGreaterThan(1);
    expect(await file('ca.pem')).toBe(application.machineApiCa);
    expect(facts).toMatchObject({
      integrationId: expect.stringMatching(/^int_/),
      clientId: expect.stringMatching(/^cli_/),
      baseUrl: `${application.machineApiUrl}/v1`,
    });
    expect(printed).not.toContain('PRIVATE KEY');
  });

  test('sees orders alone with an integration that asked for orders alone', async () => {
    const { printed } = await demo('orders', ['orders.read']);

    expect(printed).toContain('500 orders, 0 vehicles, 1 tombstone');
    expect(printed).not.toContain('Read one vehicle');
  });

  test('sees stock vehicles alone with an integration that asked for them alone', async () => {
    const { printed } = await demo('vehicles', ['vehicles.read']);

    expect(printed).toContain('0 orders, 50 vehicles, 1 tombstone');
    expect(printed).not.toContain('Read one order');
  });

  test('stops at a surprise with the step, the status, the code and the request id', async () => {
    await expect(demo('wrong', ['orders.read', 'everything.read'])).rejects.toThrow(
      /^Create an integration: .*There is no scope "everything\.read"\. \(status 200, code BAD_USER_INPUT, request req_\w+\)$/,
    );
    const nobody = `http://localhost:${await findFreePort()}`;
    await expect(runDemo({ portal: nobody, out: folder, print: () => {} })).rejects.toThrow(
      `Find the service: Nothing answers at ${nobody} (ECONNREFUSED). Is \`npm start\` running there?`,
    );
  });
});
