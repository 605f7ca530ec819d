import type { IncomingHttpHeaders } from 'node:http';

export type CallOptions = { readonly signal?: AbortSignal | undefined };
export type ReadOptions = CallOptions & {
  /** Of an earlier answer. If nothing has changed since, `value` is null. */
  readonly etag?: string | undefined;
};
export type PageOptions = ReadOptions & { readonly updatedSince?: string | undefined; readonly limit?: number | undefined };
export type HistoryOptions = CallOptions & { readonly after?: number | undefined; readonly limit?: number | undefined };
export type Read<T> = { readonly value: T; readonly etag: string };
export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };
/** What makes a value of an answer with a body. */
export type Reader = (answer: Answer) => unknown;
