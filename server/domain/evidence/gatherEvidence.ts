import type { Query } from '../shared/query.ts';
import type { CountedKind } from './evidenceKinds.ts';
import { observeSandbox, type Observation, type SandboxFacts } from './observeSandbox.ts';

/** What evidence has to know of a request of the machine API that is over. */
export type RequestFacts = {
  readonly occurredAt: Date;
  readonly requestId: string;
  readonly method: string;
  /** The operation; `path` when only the method was wrong, `nothing` when there is no such path. */
  readonly operation: string;
  /** The answer's; 499 when the caller hung up before it was complete. */
  readonly status: number;
  readonly durationMs: number;
  /** What admission knows of it; null when the certificate is none on record or admission was not reached. */
  readonly client: { readonly number: number; readonly certificateId: string } | null;
  /** False: it is counted only. */
  readonly logged: boolean;
  /** What a review will ask about; of sandbox clients only. */
  readonly sandbox: SandboxFacts | null;
};

/** What one request shows; counted when the request itself is. */
type RequestEvidence = {
  readonly client_number: number;
  readonly kind: CountedKind;
  readonly at: Date;
  readonly request_id: string;
  readonly logged: boolean;
};
type Gathered = { readonly evidence: RequestEvidence[]; readonly observations: { client_number: number; state: Observation }[] };

type Known = { client_number: number; certificate_id: string; state: Observation | null; issued_at: Date | null };

/** By primary keys. */
const knownSql = `
  select p.client_number, p.certificate_id, o.state, x.issued_at
    from json_to_recordset($1::text::json) as p(client_number int, certificate_id text)
    left join client_observation o on o.client_number = p.client_number left join certificate x on x.id = p.certificate_id`;

type SandboxRequest = RequestFacts & {
  readonly client: NonNullable<RequestFacts['client']>;
  readonly sandbox: NonNullable<RequestFacts['sandbox']>;
};

/**
 * What the requests of sandbox clients in a batch show for a review. Each is seen from what came before it, of former batches too, in
 * the order of their arrival. A batch of production clients alone asks for nothing. Two processes that write for one client at the same
 * moment may see each other's requests late; that counts a little too little.
 */
export async function gatherEvidence(query: Query, requests: readonly RequestFacts[]): Promise<Gathered> {
  const observed = requests.filter(isObserved).toSorted((one, other) => one.occurredAt.getTime() - other.occurredAt.getTime());
  if (observed.length === 0) return { evidence: [], observations: [] };
  const pairs = new Map(observed.map(({ client }) => [client.certificateId, client]));
  const known = await query<Known>(knownSql, [
    JSON.stringify([...pairs.values()].map(({ number, certificateId }) => ({ client_number: number, certificate_id: certificateId }))),
  ]);
  const issuedAt = new Map(known.map((row) => [row.certificate_id, row.issued_at]));
  const states = new Map(known.map((row) => [row.client_number, row.state ?? {}]));
  const evidence: RequestEvidence[] = [];
  for (const { client, sandbox, method, operation, status, occurredAt, durationMs, requestId, logged } of observed) {
    const at = occurredAt.getTime();
    const certificateIssuedAt = issuedAt.get(client.certificateId)?.getTime() ?? null;
    const { kinds, after } = observeSandbox(states.get(client.number) ?? {}, {
      ...sandbox,
      method,
      operation,
      status,
      at,
      answeredAt: at + durationMs,
      certificateIssuedAt,
    });
    states.set(client.number, after);
    evidence.push(...kinds.map((kind) => ({ client_number: client.number, kind, at: occurredAt, request_id: requestId, logged })));
  }
  return { evidence, observations: [...states].map(([client_number, state]) => ({ client_number, state })) };
}

function isObserved(request: RequestFacts): request is SandboxRequest {
  return request.client !== null && request.sandbox !== null;
}
