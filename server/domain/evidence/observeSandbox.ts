import { capabilitiesGood, type CountedKind } from './evidenceKinds.ts';

/** What a sandbox client's request shows beyond its operation and status. */
export type SandboxFacts = {
  /** Quotas are apart by class, so a pause holds for its own. */
  readonly costClass: string;
  /** It named an ETag in If-None-Match, and its answer has one to hold against it. */
  readonly conditional: boolean;
  /** Of a 429. */
  readonly retryAfterSeconds: number | null;
  /** Where the page of the feed that it brought began and ended. */
  readonly page: FeedPage | null;
};
export type FeedPage = { readonly epoch: number; readonly from: number; readonly to: number; readonly hasMore: boolean };

/** A request in its turn; times are milliseconds. */
type ObservedRequest = SandboxFacts & {
  readonly method: string;
  readonly operation: string;
  readonly status: number;
  readonly at: number;
  readonly answeredAt: number;
  /** When the certificate that it came with was issued; null when that is not on record. */
  readonly certificateIssuedAt: number | null;
};

/** What the next requests of a client are held against. */
export type Observation = {
  readonly capabilitiesAt?: number;
  /** Where the last page ended, in which epoch of the feed, and when it was asked for. */
  readonly pageEnd?: number;
  readonly pageEpoch?: number;
  readonly pageAt?: number;
  /** The pause that a 429 has asked for, by class: until then, and from when on the client knew of it. */
  readonly pauses?: Readonly<Record<string, Pause>>;
  /** Of the newest certificate in use. */
  readonly certificateIssuedAt?: number;
};
/** `broken`: something was asked for before it was over, and admitted. */
type Pause = { readonly knownAt: number; readonly until: number; readonly broken?: boolean };

/** Requests that were on their way when the 429 was answered disregard nothing. */
const onTheWay = 500;
const withoutData: ReadonlySet<string> = new Set(['getCapabilities', 'acknowledgeRevocation', 'path', 'nothing']);

/** What one request shows, seen from what came before it, and what the next one is held against. */
export function observeSandbox(before: Observation, request: ObservedRequest): { kinds: CountedKind[]; after: Observation } {
  return {
    kinds: [
      ...capabilitiesShown(before, request),
      ...(endsItsCursor(before, request) ? ['cursor_followed' as const] : []),
      ...conditionShown(request),
      ...pauseShown(before, request),
      ...(isRotated(before, request) ? ['certificate_rotated' as const] : []),
    ],
    after: {
      ...before,
      ...(readsCapabilities(request) && { capabilitiesAt: Math.max(before.capabilitiesAt ?? 0, request.at) }),
      ...pageAfter(before, request),
      ...(succeeded(request) &&
        request.certificateIssuedAt !== null && {
          certificateIssuedAt: Math.max(before.certificateIssuedAt ?? 0, request.certificateIssuedAt),
        }),
      pauses: pausesAfter(before, request),
    },
  };
}

function succeeded({ status }: ObservedRequest): boolean {
  return status === 200 || status === 304;
}

/** HEAD brings nothing to read. */
function readsCapabilities({ method, operation, status }: ObservedRequest): boolean {
  return method === 'GET' && operation === 'getCapabilities' && status === 200;
}

function capabilitiesShown({ capabilitiesAt }: Observation, request: ObservedRequest): CountedKind[] {
  if (request.method === 'HEAD' || withoutData.has(request.operation) || !succeeded(request)) return [];
  // It was written after a later call for capabilities: what it had read before is not known any more.
  if (capabilitiesAt !== undefined && request.at < capabilitiesAt) return [];
  return [capabilitiesAt !== undefined && request.at - capabilitiesAt <= capabilitiesGood ? 'capabilities_read' : 'capabilities_not_read'];
}

/** The last page counts when it was asked for with the cursor that the page before it had brought. */
function endsItsCursor({ pageEnd }: Observation, { page }: ObservedRequest): boolean {
  return page !== null && !page.hasMore && page.from > 0 && page.from === pageEnd;
}

/** A page that is written after a later one does not take the client back, unless it goes on where that one ended: processes' clocks differ. */
function pageAfter(
  { pageAt = 0, pageEnd, pageEpoch }: Observation,
  { page, at }: ObservedRequest,
): Pick<Observation, 'pageEnd' | 'pageEpoch' | 'pageAt'> {
  const isLater = page && (at >= pageAt || (page.epoch === pageEpoch && page.from === pageEnd));
  return isLater ? { pageEnd: page.to, pageEpoch: page.epoch, pageAt: at } : {};
}

function conditionShown(request: ObservedRequest): CountedKind[] {
  if (!request.conditional || !succeeded(request)) return [];
  return request.status === 304 ? ['request_conditional', 'answer_unchanged'] : ['request_conditional'];
}

function pauseShown({ pauses }: Observation, { costClass, at, status }: ObservedRequest): CountedKind[] {
  const pause = pauses?.[costClass];
  if (!pause) return [];
  if (at >= pause.until) return pause.broken ? [] : ['pause_honoured'];
  // What was admitted all the same had a quota left, so it is nobody's fault.
  return status === 429 && at > pause.knownAt + onTheWay ? ['pause_disregarded'] : [];
}

/**
 * A pause ends with the first request after it; one that is disregarded goes on, as long as the latest 429 says. What was admitted
 * meanwhile is nobody's fault, but then nobody has waited either; the next 429 asks again.
 */
function pausesAfter({ pauses }: Observation, { costClass, at, answeredAt, retryAfterSeconds }: ObservedRequest): Record<string, Pause> {
  const { [costClass]: former, ...others } = pauses ?? {};
  const running = former && at < former.until ? former : undefined;
  if (retryAfterSeconds === null) {
    if (!running) return others;
    const broken = running.broken || at > running.knownAt + onTheWay;
    return { ...others, [costClass]: { ...running, ...(broken && { broken }) } };
  }
  const until = at + retryAfterSeconds * 1000;
  return { ...others, [costClass]: { knownAt: running?.knownAt ?? answeredAt, until: Math.max(until, running?.until ?? 0) } };
}

/** Issuing a newer certificate limits the former ones to their days of overlap, so its use is the rotation. */
function isRotated({ certificateIssuedAt }: Observation, request: ObservedRequest): boolean {
  const { certificateIssuedAt: issuedAt } = request;
  return succeeded(request) && issuedAt !== null && certificateIssuedAt !== undefined && issuedAt > certificateIssuedAt;
}
