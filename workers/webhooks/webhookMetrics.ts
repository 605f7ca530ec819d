import { Counter, Gauge, Histogram } from 'prom-client';
import { registry } from '../../server/platform/metrics.ts';

// Beside the code that sets them, so that no other process shows them: their 0 would read as one that delivers nothing.

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
export const webhookNamesRefused = new Counter({
  name: 'svc_webhook_names_refused_total',
  help: 'Requests to operators’ servers that ended with their names, by the reason, which owners are not told: no_address, no_answer or not_public',
  labelNames: ['reason'] as const,
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
