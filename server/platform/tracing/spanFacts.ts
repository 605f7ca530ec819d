import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/**
 * All that a span may tell outside. The instrumentations also collect addresses of callers, paths with their queries, user agents, headers, the
 * text of statements and the messages of errors; these may be personal data or secrets, and stay here.
 */
const told = new Set([
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'svc.request_id',
  'svc.error_code',
  'svc.operations',
  'svc.task',
  'db.system.name',
  'db.operation.name',
  'db.query.summary',
  'error.type',
]);

/** An exporter to which only what may be told is passed on. */
export function tellingOnlyFacts(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(factsOf), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function factsOf(span: ReadableSpan): ReadableSpan {
  const attributes = Object.entries(span.attributes).filter(([name]) => told.has(name));
  return {
    name: span.name,
    kind: span.kind,
    spanContext: () => span.spanContext(),
    ...(span.parentSpanContext && { parentSpanContext: span.parentSpanContext }),
    startTime: span.startTime,
    endTime: span.endTime,
    duration: span.duration,
    ended: span.ended,
    // An error's message may quote what somebody has typed in.
    status: { code: span.status.code },
    attributes: Object.fromEntries(attributes),
    events: [],
    links: [],
    resource: span.resource,
    instrumentationScope: span.instrumentationScope,
    droppedAttributesCount: span.droppedAttributesCount + Object.keys(span.attributes).length - attributes.length,
    droppedEventsCount: span.droppedEventsCount + span.events.length,
    droppedLinksCount: span.droppedLinksCount + span.links.length,
  };
}

/**
 * A statement in two words: its verb and the first table that it names, such as `UPDATE client_quota`. Everything else of its text stays here.
 */
export function summaryOf(text: string): string {
  const verb = /^\s*(?:--.*\s+)*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'STATEMENT';
  // After `from`, what a parenthesis follows is a function, as in `extract(epoch from clock_timestamp())`.
  const named = /\b(?:into\s+"?|(?:from|update|join)\s+(?:only\s+)?"?(?!\w+\s*\())([a-z_][a-z0-9_]*)/i;
  const table = named.exec(text.replace(/'(?:[^']|'')*'/g, "''"))?.[1];
  return table === undefined ? verb : `${verb} ${table}`;
}
