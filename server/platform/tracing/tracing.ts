import type { IncomingMessage } from 'node:http';
import { carryTraces } from '../../domain/shared/traces.ts';

/**
 * What becomes known of a request while it is answered. `route` is the name of an operation, never a path. Whatever is not on the list of
 * `spanFacts.ts` does not leave the process.
 */
export type RequestFacts = { readonly route: string; readonly requestId: string; readonly code?: string; readonly operations?: string };

/** What traces, while a process does so. */
export type Tracer = {
  statement<Result>(text: string, work: () => Promise<Result>): Promise<Result>;
  job<Result>(name: string, carried: string | undefined, work: () => Promise<Result>): Promise<Result>;
  request<Result>(request: IncomingMessage, facts: () => RequestFacts, work: () => Result): Result;
  /** The present span as W3C Trace Context writes it (`traceparent`), if there is one. */
  carried(): string | undefined;
};

/** Undefined in a process that does not trace. Everything below then only does its work. */
let tracer: Tracer | undefined;

/** From now on, this process traces. */
export function trace(by: Tracer): void {
  tracer = by;
  carryTraces(() => by.carried());
}

/** A statement that no instrumentation sees, because its library has none. */
export function traceStatement<Result>(text: string, work: () => Promise<Result>): Promise<Result> {
  return tracer ? tracer.statement(text, work) : work();
}

/** An attempt at a job, in the trace of the request that queued it. */
export function traceJob<Result>(name: string, carried: string | undefined, work: () => Promise<Result>): Promise<Result> {
  return tracer ? tracer.job(name, carried, work) : work();
}

/**
 * Answers a request within its own span, even if it waited for its turn while another one of its connection was answered. `facts` is asked when
 * the answer is over.
 */
export function traceRequest<Result>(request: IncomingMessage, facts: () => RequestFacts, work: () => Result): Result {
  return tracer ? tracer.request(request, facts, work) : work();
}
