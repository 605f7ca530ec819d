import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The process's Prometheus registry, and the instruments that the servers and the workers share. */
export const registry = new Registry();
collectDefaultMetrics({ register: registry });

export const httpRequests = new Counter({
  name: 'svc_http_requests_total',
  help: 'Answered HTTP requests',
  labelNames: ['server', 'route', 'status', 'code'] as const,
  registers: [registry],
});
export const httpDuration = new Histogram({
  name: 'svc_http_request_duration_seconds',
  help: 'Time from the first byte of a request to the end of its answer',
  labelNames: ['server', 'route'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
});
export const jobs = new Counter({
  name: 'svc_jobs_total',
  help: 'Finished jobs',
  labelNames: ['job', 'outcome'] as const,
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

export const crlAge = new Gauge({
  name: 'svc_crl_age_seconds',
  help: 'Time since the current revocation list of an authority was made',
  labelNames: ['authority'] as const,
  registers: [registry],
});
export const crlRemaining = new Gauge({
  name: 'svc_crl_seconds_until_next_update',
  help: 'Time until the current revocation list of an authority ends; 0 if it has no list',
  labelNames: ['authority'] as const,
  registers: [registry],
});
export const issuingAuthorityRemaining = new Gauge({
  name: 'svc_issuing_authority_seconds_left',
  help: 'Time until the validity of the newest issuing authority ends',
  labelNames: ['authority'] as const,
  registers: [registry],
});

export const webhookAttempts = new Counter({
  name: 'svc_webhook_attempts_total',
  help: 'Attempts to deliver an event, by what they meant for the delivery: delivered, retried or dead',
  labelNames: ['outcome'] as const,
  registers: [registry],
});
export const webhookFirstAttempt = new Histogram({
  name: 'svc_webhook_first_attempt_seconds',
  help: 'Time from an event to the first attempt to deliver it',
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600],
  registers: [registry],
});
export const webhookInFlight = new Gauge({
  name: 'svc_webhook_attempts_in_flight',
  help: 'Attempts to deliver an event that this process has under way',
  registers: [registry],
});
export const webhookLeading = new Gauge({
  name: 'svc_webhook_leading',
  help: '1 in the one process that delivers webhooks, 0 in those that would take over',
  registers: [registry],
});
/** What a process knew while it delivered webhooks says nothing any more once another one does. */
async function forgetUnlessLeading(this: Gauge): Promise<void> {
  const { values } = await webhookLeading.get();
  if (values[0]?.value !== 1) this.reset();
}
export const webhookOldestDue = new Gauge({
  name: 'svc_webhook_oldest_due_seconds',
  help: 'How long the oldest delivery has been due, of endpoints that are well and of those whose last five attempts failed',
  labelNames: ['endpoint'] as const,
  registers: [registry],
  collect: forgetUnlessLeading,
});
export const webhookWaiting = new Gauge({
  name: 'svc_webhook_deliveries_waiting',
  help: 'Deliveries that are held, and dead letters; nobody counts beyond 100,000',
  labelNames: ['state'] as const,
  registers: [registry],
  collect: forgetUnlessLeading,
});

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
