import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { build } from './build.ts';

/**
 * The process's Prometheus registry, and the instruments that the servers and the workers share. Names end with their unit, counters with
 * `_total` (`promtool check metrics` accepts them all). No label holds an identifier, or anything else that a caller makes up.
 */
export const registry = new Registry();
collectDefaultMetrics({ register: registry });
// They are gauges with the names of counters, and say less than the connections and the pools below.
for (const name of ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'])
  registry.removeSingleMetric(name);

/** A gauge without labels begins with 0. One that has to be looked up must have no value until then, because 0 would be an alarm. */
function withoutValue(gauge: Gauge): Gauge {
  gauge.remove();
  return gauge;
}

const buildInfo = new Gauge({
  name: 'svc_build_info',
  help: 'Always 1; the labels say which version of the service runs, built from which commit, on which Node',
  labelNames: ['version', 'commit', 'node'] as const,
  registers: [registry],
});
buildInfo.set({ version: build.version, commit: build.commit ?? 'unknown', node: process.version }, 1);

export const readinessState = new Gauge({
  name: 'svc_readiness_state',
  help: 'Always 1; the label is what /readyz says: ready, or the reason why the process cannot do its work',
  labelNames: ['state'] as const,
  registers: [registry],
});
export const httpRequests = new Counter({
  name: 'svc_http_requests_total',
  help: 'Answered HTTP requests',
  labelNames: ['server', 'route', 'status', 'code'] as const,
  registers: [registry],
});
export const httpDuration = new Histogram({
  name: 'svc_http_request_duration_seconds',
  help: 'Time from the first byte of a request to the end of its answer',
  labelNames: ['server', 'route', 'status_class'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
});
/** The label of a status: `2xx`, `4xx` and so on. */
export const statusClass = (status: number): string => statusClasses[Math.floor(status / 100)] ?? 'other';
const statusClasses = ['other', '1xx', '2xx', '3xx', '4xx', '5xx'];

export const operationDuration = new Histogram({
  name: 'svc_graphql_operation_duration_seconds',
  help: 'Time of a GraphQL request by the operation of the schema that it names (several, if it names more than one) and by what came of it: done, refused, unavailable (503) or failed',
  labelNames: ['operation', 'outcome'] as const,
  buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
  registers: [registry],
});
/** The label of what a document asks for: any number of the schema's operations, of which each combination would be a label of its own. */
export const oneOperation = (operations: string): string => (/^\w+$/.test(operations) ? operations : 'several');
export const eventLoopHeld = new Histogram({
  name: 'svc_event_loop_held_seconds',
  help: 'How long the event loop was held, each time for more than 100 ms of processor time, by what was being answered: route and operation of the schema (several, if there was more than one)',
  labelNames: ['route', 'operation'] as const,
  buckets: [0.2, 0.5, 1, 5],
  registers: [registry],
});
export const jobs = new Counter({
  name: 'svc_jobs_total',
  help: 'Finished jobs',
  // Prometheus itself has a label `job`.
  labelNames: ['task', 'outcome'] as const,
  registers: [registry],
});
export const queuedJobs = new Gauge({
  name: 'svc_queue_jobs',
  help: 'Jobs that are due and not begun, wait for another attempt, or will not be tried again; nobody counts beyond 100,000',
  labelNames: ['task', 'state'] as const,
  registers: [registry],
});
export const oldestDueJob = new Gauge({
  name: 'svc_queue_oldest_due_seconds',
  help: 'How long the oldest job that nobody has begun has been due; 0 if there is none',
  labelNames: ['task'] as const,
  registers: [registry],
});
export const tableBytes = new Gauge({
  name: 'svc_table_bytes',
  help: 'Size of a table that only grows, with its indexes and partitions',
  labelNames: ['table'] as const,
  registers: [registry],
});
export const walArchiveAge = withoutValue(
  new Gauge({
    name: 'svc_wal_archive_age_seconds',
    help: 'Time since PostgreSQL archived a segment of its log: how far a restore from the archive alone may take the data and the feeds back',
    registers: [registry],
  }),
);
export const mails = new Counter({
  name: 'svc_mails_total',
  help: 'Emails by what became of them: sent, refused for good by the mail server, or not sent because there was nothing to send any more',
  labelNames: ['outcome'] as const,
  registers: [registry],
});
export const untrustedCertificates = new Counter({
  name: 'svc_untrusted_client_certificates_total',
  help: 'Requests whose client certificate was not issued by this service',
  registers: [registry],
});
export const droppedUsage = new Counter({
  name: 'svc_usage_dropped_total',
  help: 'Finished requests that could not be written to counters and log',
  labelNames: ['reason'] as const,
  registers: [registry],
});
export const heldLeases = new Gauge({
  name: 'svc_held_leases',
  help: 'Requests in progress in this process, each of which holds a lease of its client',
  registers: [registry],
});

/** Of a root or of an issuing authority. Where there are several, the value is the worst of them. */
const authority = ['authority'] as const;
export const crlAge = new Gauge({
  name: 'svc_crl_age_seconds',
  help: 'Time since the current revocation list of a root or issuing authority was made',
  labelNames: authority,
  registers: [registry],
});
export const crlRemaining = new Gauge({
  name: 'svc_crl_remaining_seconds',
  help: 'Time until the current revocation list of a root or issuing authority ends; 0 if it has no list',
  labelNames: authority,
  registers: [registry],
});
export const authorityRemaining = new Gauge({
  name: 'svc_authority_remaining_seconds',
  help: 'Time until the validity of the newest issuing authority, or of its root, ends',
  labelNames: authority,
  registers: [registry],
});
export const serverCertificateRemaining = withoutValue(
  new Gauge({
    name: 'svc_server_certificate_remaining_seconds',
    help: 'Time until the validity of the server certificate that the machine API has loaded ends',
    registers: [registry],
  }),
);
export const serverCertificateLifetime = withoutValue(
  new Gauge({
    name: 'svc_server_certificate_lifetime_seconds',
    help: 'From the beginning to the end of the validity of the server certificate that the machine API has loaded',
    registers: [registry],
  }),
);
export const acmeFailures = withoutValue(
  new Gauge({
    name: 'svc_acme_failures',
    help: 'Attempts to get the server certificate by ACME that have failed since the last one that succeeded',
    registers: [registry],
  }),
);
export const signingKeyAge = withoutValue(
  new Gauge({
    name: 'svc_signing_key_age_seconds',
    help: 'How long the current key of signed deliveries has signed',
    registers: [registry],
  }),
);
export const signingKeyRemaining = withoutValue(
  new Gauge({
    name: 'svc_signing_key_remaining_seconds',
    help: 'Time until the next key of signed deliveries is due to sign; negative when the change is late',
    registers: [registry],
  }),
);

export const backupAge = withoutValue(
  new Gauge({
    name: 'svc_backup_age_seconds',
    help: 'Time since the newest backup of the embedded database was taken',
    registers: [registry],
  }),
);
export const openConnections = new Gauge({
  name: 'svc_open_connections',
  help: 'Open connections, unfinished handshakes included',
  labelNames: ['server'] as const,
  registers: [registry],
});
export const closedConnections = new Counter({
  name: 'svc_closed_connections_total',
  help: 'Connections closed by the service: handshakes that failed or took too long, and those that made room for others',
  labelNames: ['server', 'reason'] as const,
  registers: [registry],
});
