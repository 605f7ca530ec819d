import { createRequire } from 'node:module';
import type { IncomingMessage } from 'node:http';
import { type Context, context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { build } from '../build.ts';
import { summaryOf, tellingOnlyFacts } from './spanFacts.ts';
import type { RequestFacts, Tracer } from './tracing.ts';

type TracingOptions = {
  /** Where an OpenTelemetry collector takes OTLP over HTTP, without `/v1/traces`. */
  readonly endpoint: string;
  /** The share of requests that are traced, from 0 to 1. */
  readonly share: number;
  /** Which process this is. */
  readonly service: string;
};

const w3c = new W3CTraceContextPropagator();
const setter = { set: (carrier: Record<string, string>, name: string, value: string) => void (carrier[name] = value) };
const getter = {
  get: (carrier: Readonly<Record<string, string>>, name: string) => carrier[name],
  keys: (carrier: Readonly<Record<string, string>>) => Object.keys(carrier),
};

/**
 * Begins to trace. The instrumentations change methods of classes that every importer shares (`http.Server`, `https.Server`, `pg.Client`, the
 * pool), so it does not matter how and when those modules were imported. What a caller sends as `traceparent` is not believed, because
 * callers are strangers.
 */
export function openTelemetry({ endpoint, share, service }: TracingOptions): { readonly tracer: Tracer; stop(): Promise<void> } {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'operator-integration-service',
      'service.name': service,
      'service.version': build.version,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: tellingOnlyFacts(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })) })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const requests = instrument(provider);
  const tracer = provider.getTracer('operator-integration-service', build.version);

  const within = async <Result>(span: Span, parent: Context, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await context.with(trace.setSpan(parent, span), work);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
      throw error;
    } finally {
      span.end();
    }
  };
  return {
    tracer: {
      statement(text, work) {
        // What the process does by itself, such as looking for new authorities, would be a trace each time.
        if (!trace.getActiveSpan()) return work();
        const summary = summaryOf(text);
        const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary };
        return within(tracer.startSpan(summary, { kind: SpanKind.CLIENT, attributes }), context.active(), work);
      },
      job(name, carried, work) {
        const parent = carried === undefined ? ROOT_CONTEXT : w3c.extract(ROOT_CONTEXT, { traceparent: carried }, getter);
        return within(tracer.startSpan(name, { kind: SpanKind.CONSUMER, attributes: { 'svc.task': name } }, parent), parent, work);
      },
      request(request, facts, work) {
        const known = requests.get(request);
        if (!known) return work();
        known.facts = facts;
        return context.with(trace.setSpan(ROOT_CONTEXT, known.span), work);
      },
      carried() {
        const carrier: Record<string, string> = {};
        w3c.inject(context.active(), carrier, setter);
        return carrier['traceparent'];
      },
    },
    stop: () => provider.shutdown(),
  };
}

type Known = { readonly span: Span; facts?: () => RequestFacts };

/** Where nobody looks for what a caller had to wait for. */
const probes = new Set(['/metrics', '/healthz', '/readyz']);

function instrument(tracerProvider: TracerProvider): WeakMap<object, Known> {
  const requests = new WeakMap<object, Known>();
  const http = new HttpInstrumentation({
    // What we send goes to operators' receivers, the mail server and the collector. None of them is to learn our traces.
    disableOutgoingRequestInstrumentation: true,
    ignoreIncomingRequestHook: ({ url }: IncomingMessage) => probes.has(url ?? ''),
    requestHook: (span, request) => void requests.set(request, { span }),
    applyCustomAttributesOnSpan: (span, request) => describe(span, request as IncomingMessage, requests.get(request)?.facts?.()),
  });
  const pg = new PgInstrumentation({
    requireParentSpan: true,
    requestHook(span, { query }) {
      const summary = summaryOf(query.text);
      span.updateName(summary).setAttribute('db.query.summary', summary);
    },
  });
  for (const instrumentation of [http, pg]) instrumentation.setTracerProvider(tracerProvider);
  // They act when a module is required. Both libraries share one copy of it with their other importers.
  const require = createRequire(import.meta.url);
  const requireOfPg = createRequire(require.resolve('pg'));
  for (const name of ['http', 'https', 'pg']) require(name);
  requireOfPg('pg-pool');
  return requests;
}

function describe(span: Span, { method = '' }: IncomingMessage, facts: RequestFacts | undefined): void {
  if (!facts) return;
  span.updateName(`${method} ${facts.route}`);
  span.setAttributes({
    'http.route': facts.route,
    'svc.request_id': facts.requestId,
    ...(facts.code !== undefined && { 'svc.error_code': facts.code }),
    ...(facts.operations !== undefined && { 'svc.operations': facts.operations }),
  });
}
