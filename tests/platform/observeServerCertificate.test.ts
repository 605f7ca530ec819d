import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';
import { registry } from '../../server/platform/metrics.ts';
import { observeServerCertificate } from '../../server/platform/tls/observeServerCertificate.ts';

const metrics = new URL('../../server/platform/metrics.ts', import.meta.url).href;

test('what is left of a server certificate is told beside its lifetime, and neither is known before one is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-lifetime-'));
  await ensureDevelopmentTls(folder);
  const certPem = await readFile(join(folder, 'server.pem'), 'utf8');
  await rm(folder, { recursive: true });
  const { validFromDate, validToDate } = new X509Certificate(certPem);
  const lifetime = (validToDate.getTime() - validFromDate.getTime()) / 1000;
  const shown = async () => (await registry.metrics()).match(/^svc_server_certificate_\w+ \d+$/gm) ?? [];
  // Another file may have had them made in this process.
  const program = `import { registry } from '${metrics}'; process.stdout.write(await registry.metrics());`;
  const fresh = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(fresh.stdout).toContain('# TYPE svc_server_certificate_remaining_seconds gauge');
  expect(fresh.stdout).not.toMatch(/^svc_server_certificate/m);
  observeServerCertificate({ certPem }, new Date(validToDate.getTime() - 60_000));
  expect(await shown()).toEqual(['svc_server_certificate_remaining_seconds 60', `svc_server_certificate_lifetime_seconds ${lifetime}`]);
});
