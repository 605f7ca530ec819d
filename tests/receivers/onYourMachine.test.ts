import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';
import { localReceiverCommand, localReceiverUrl, receivers } from '../../portal-web/src/features/webhooks/localReceiver.ts';
import { allScopes } from '../../server/domain/shared/scopes.ts';
import { developmentHostsOf } from '../../server/platform/outbound/developmentHosts.ts';
import { canRun } from '../support/clients/guideReceiver.ts';
import type { IntegrationData } from '../support/clients/portalClient.ts';
import { SandboxClient } from '../support/clients/sandboxClient.ts';
import { openWorld } from '../support/world/openWorld.ts';

type Receiver = { host: string; port: number; tlsFolder: string };
type Delivery = { id: string; state: string; lastAttempt: { status: number | null; totalMs: number } | null };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('the guide has the command that the page shows', () => {
  const command = localReceiverCommand(
    {
      portalUrl: '{portal_url}',
      machineApiUrl: 'https://localhost:8443/v1',
      receiver: { host: 'receiver.test', port: 9443, tlsFolder: '.data/tls' },
      // The guide is read as Markdown too, in which only whole addresses are replaced.
    },
    'typescript',
  ).replace('https://localhost:8443', `$(node -p 'new URL("{base_url}").origin')`);
  expect(readFileSync('docs/guides/webhooks.md', 'utf8')).toContain(`\`\`\`sh\n${command}\n\`\`\``);
});

test('the guide says for each language what is fetched and what starts it', () => {
  const guide = readFileSync('docs/guides/webhooks.md', 'utf8');
  for (const { language, files, start } of Object.values(receivers)) {
    const commands = files.map((file) => `curl -sSO {portal_url}/receivers/${file}`);
    if (language === 'TypeScript') for (const command of [...commands, start]) expect(guide).toContain(command);
    else expect(guide).toContain(`| ${language} | \`${commands.join('` and `')}\` | \`${start}\` |`);
  }
});

const runnable = (['typescript', 'python'] as const).filter(canRun);

test.each(runnable)(
  'the command starts the receiver in %s, which answers the challenge and takes a test event',
  async (language) => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-machine-'));
    const hosts = new Map([['receiver.test', { address: '127.0.0.1', port: await freePort() }]]);
    const webhookHosts = await developmentHostsOf({ developmentWebhookHosts: hosts, dataDir: folder });
    const application = await openWorld({
      portal: {
        env: { DATA_DIR: folder, DEVELOPMENT_WEBHOOK_HOSTS: `receiver.test=127.0.0.1:${hosts.get('receiver.test')?.port}` },
        ...(webhookHosts && { webhookHosts }),
      },
    });
    const facts = await application.browser().must<{ portalUrl: string; machineApiUrl: string; developmentReceiver: Receiver }>('service');
    const receiver = facts.developmentReceiver;
    const shell = spawn(
      'bash',
      ['-ec', localReceiverCommand({ ...facts, receiver }, language).replace(/(node|python3) receiver\.\w+$/, 'exec $&')],
      {
        cwd: folder,
        env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, HOST: '127.0.0.1' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    try {
      for await (const line of createInterface({ input: shell.stdout })) if (line.startsWith('listening')) break;
      const sandbox = await SandboxClient.open(application, allScopes);
      const { operator, slug } = sandbox;
      await operator.confirmFreshly();
      const { id: integrationId } = await operator.must<IntegrationData>('integration', { slug });
      const { id: endpointId } = await operator.must<{ id: string }>('registerWebhookEndpoint', {
        input: {
          integrationId,
          environment: 'sandbox',
          url: localReceiverUrl(receiver),
          payloadMode: 'notification',
          eventTypes: ['resource_updated'],
          description: '',
        },
      });
      await operator.must('verifyWebhookEndpoint', { input: { endpointId } });
      await application.work();
      const { id } = await operator.must<Delivery>('sendTestEvent', { input: { endpointId, type: 'resource_updated' } });
      await application.deliver({ ...(webhookHosts && { developmentHosts: webhookHosts }), source: new URL(facts.machineApiUrl).origin });
      const delivery = await operator.must<Delivery>('webhookDelivery', { id });
      expect(delivery).toMatchObject({ state: 'delivered', lastAttempt: { status: 204, totalMs: expect.any(Number) } });
    } finally {
      shell.kill();
      await application.close();
      await rm(folder, { recursive: true });
    }
  },
  120_000,
);
