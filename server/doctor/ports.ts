import { createServer, get } from 'node:http';
import { z } from 'zod';
import type { Config, ProcessRole } from '../config/config.ts';
import { listen } from '../platform/listen.ts';
import { wrong, wrongBy, type Finding, type Look, type Place } from './finding.ts';

type Port = {
  readonly roles: readonly ProcessRole[];
  readonly of: (config: Config) => { readonly host: string; readonly port: number } | undefined;
  readonly variables: { readonly host: string; readonly port: string };
};

const ports: readonly Port[] = [
  {
    roles: ['service', 'portal'],
    of: ({ host, portalPort }) => ({ host, port: portalPort }),
    variables: { host: 'HOST', port: 'PORTAL_PORT' },
  },
  {
    roles: ['service', 'machine-api'],
    of: ({ host, machineApiPort }) => ({ host, port: machineApiPort }),
    variables: { host: 'HOST', port: 'MACHINE_API_PORT' },
  },
  { roles: ['service'], of: ({ acme }) => acme, variables: { host: 'HOST', port: 'ACME_HTTP_PORT' } },
  {
    roles: ['service', 'portal', 'machine-api', 'workers'],
    of: ({ metricsHost, metricsPort }) => ({ host: metricsHost, port: metricsPort }),
    variables: { host: 'METRICS_HOST', port: 'METRICS_PORT' },
  },
];

/** Of a port below 1024, an account hears that it may not have it before it hears that somebody else has. */
const mayBeHeld: ReadonlySet<string> = new Set(['EADDRINUSE', 'EACCES']);
const heldBySystemd = 'If systemd holds it for the service (operator-integration-….socket), see in the log why the service does not run.';

/** What a running process says of itself; or whether the ports are free on which it would listen. */
export async function examinePorts({ config, role }: Place): Promise<Look> {
  const state = await readinessOf(config);
  if (state === 'ready') return [];
  if (state !== undefined) {
    return [wrong(`The process runs and is not ready: ${state}`, 'docs/operating.md, “Health”, says what each reason means.')];
  }
  const found: Finding[] = [];
  for (const { roles, of, variables } of ports) {
    const place = roles.includes(role) ? of(config) : undefined;
    if (!place) continue;
    const server = createServer();
    try {
      await listen(server, { host: place.host, port: place.port, variables });
    } catch (error) {
      const finding = wrongBy(error, `Correct ${variables.host} or ${variables.port}.`);
      const code = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined)?.code : undefined;
      found.push(code !== undefined && mayBeHeld.has(code) ? { ...finding, remedy: `${finding.remedy} ${heldBySystemd}` } : finding);
    } finally {
      server.close();
    }
  }
  return found;
}

const answer = z.object({ status: z.string(), reason: z.string().optional() });

/** What `/readyz` of the metrics port says, if it is that of a process of ours. */
function readinessOf({ metricsHost, metricsPort }: Config): Promise<string | undefined> {
  const host = metricsHost === '0.0.0.0' || metricsHost === '::' ? 'localhost' : metricsHost;
  return new Promise((resolve) => {
    const request = get({ host, port: metricsPort, path: '/readyz', timeout: 5_000, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => {
        const { data } = answer.safeParse(safely(body));
        resolve(data && (data.reason ?? data.status));
      });
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(undefined));
  });
}

function safely(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
