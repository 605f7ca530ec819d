import type { Config } from '../../config/config.ts';
import type { OnStop } from '../runProcess.ts';
import { trace } from './tracing.ts';

/** A collector that is away must not hold up the end of the process. */
const lastSpansWithin = 3_000;

/**
 * Traces requests, their statements and their jobs if OTEL_EXPORTER_OTLP_ENDPOINT says where to send them. Otherwise nothing of
 * OpenTelemetry’s SDK is even loaded. Call it before anything else starts, so that it stops last.
 */
export async function startTracing({ tracing }: Pick<Config, 'tracing'>, service: string, onStop: OnStop): Promise<void> {
  if (!tracing) return;
  const { openTelemetry } = await import('./openTelemetry.ts');
  const started = openTelemetry({ ...tracing, service });
  trace(started.tracer);
  onStop('tracing', async () => {
    const timer = Promise.withResolvers<void>();
    const timeout = setTimeout(timer.resolve, lastSpansWithin);
    await Promise.race([started.stop(), timer.promise]).finally(() => clearTimeout(timeout));
  });
}
