import type { AdmittedClient } from '../server/domain/client/admission/admit.ts';
import type { CostClass } from '../server/domain/client/quotas.ts';
import type { FeedPage } from '../server/domain/evidence/observeSandbox.ts';
import type { CursorCodecs } from '../server/domain/feed/cursor.ts';
import type { ClientActor } from '../server/domain/shared/actor.ts';
import type { Clock } from '../server/domain/shared/clock.ts';
import type { LookupKeys } from '../server/domain/shared/keySet.ts';
import type { Query, ReadRows } from '../server/domain/shared/query.ts';
import type { Scope } from '../server/domain/shared/scopes.ts';
import type { BufferPool } from './answer/bufferPool.ts';
import type { CertificateFacts } from './tls/certificateFacts.ts';
import type { PooledBody } from './answer/pageBody.ts';
import type { JsonObject } from './request/readJsonObject.ts';
import type { RunCommand } from './database/runCommand.ts';

/** An admitted request, as an operation sees it. */
export type Call = {
  readonly client: AdmittedClient;
  readonly certificate: CertificateFacts;
  /** The same client, in the form in which the audit trail names who acts. */
  readonly actor: ClientActor;
  readonly parameters: Readonly<Record<string, string>>;
  /** The query parameters. Only those that the operation names get this far, and each occurs once. */
  readonly query: Readonly<Record<string, string>>;
  /** The members of the body. Only those that the operation names get this far; their values may have any type. */
  readonly body: JsonObject;
  /** The bytes of a body that is not JSON; empty if the operation takes none. */
  readonly document: Buffer;
  /** All values of a header, which is named in lower case. */
  header(name: string): readonly string[];
  /** Whether If-None-Match names this validator. */
  unchanged(validator: string): boolean;
};

/**
 * An answer that is not JSON. `encoding`: how the bytes became text. `retryAfterSeconds`: when to ask again, with a 202. `etag`: the strong
 * validator of a document that callers keep.
 */
export type DocumentAnswer = {
  readonly status: 200 | 202;
  readonly mediaType: string;
  readonly body: string;
  readonly encoding?: 'base64';
  readonly retryAfterSeconds?: number;
  readonly etag?: string;
};

/** What an operation answers. Refusals are thrown as `Problem`. */
export type Answer =
  | DocumentAnswer
  | { readonly body: object | string }
  | { readonly body: string | PooledBody; readonly etag: string; readonly page?: FeedPage }
  | { readonly notModified: true; readonly etag: string };

/** What operations work with. */
export type Services = {
  readonly read: Query;
  readonly readRows: ReadRows;
  readonly cursors: CursorCodecs;
  readonly pool: BufferPool;
  readonly run: RunCommand;
  readonly clock: Clock;
  readonly lookupKeys: LookupKeys;
  /** The certificates of the authorities that are trusted, in PEM. */
  readonly authorities: { readonly pems: readonly string[] };
};

/** One operation of the machine API (docs/specification.md, “Paths”). */
export type Operation = {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Any one of them is enough. If there are none, the operation is open to every client. */
  readonly scopes: readonly Scope[];
  readonly costClass: CostClass;
  readonly gated: boolean;
  readonly query: readonly string[];
  /** The members that its JSON body may have, or that its body is a certificate request. Without this, it takes no body. */
  readonly body?: readonly string[] | 'pkcs10';
  handle(call: Call, services: Services): Promise<Answer> | Answer;
};
