import type { CountedKind } from './evidenceKinds.ts';

/** What a sandbox client's request shows beyond its operation and status. */
export type SandboxFacts = {
  /** Quotas are apart by class, so a pause holds for its own. */
  readonly costClass: string;
  /** It carried If-None-Match. */
  readonly conditional: boolean;
  /** Of a 429. */
  readonly retryAfterSeconds: number | null;
  /** Where the page of the feed that it brought began and ended. */
  readonly page: FeedPage | null;
};
export type FeedPage = { readonly from: number; readonly to: number; readonly hasMore: boolean };

/** A request in its turn; times are milliseconds. */
export type ObservedRequest = SandboxFacts & {
  readonly route: string;
  readonly status: number;
  readonly at: number;
  readonly answeredAt: number;
  /** When the certificate that it came with was issued; null when that is not on record. */
  readonly certificateIssuedAt: number | null;
};

/** What the next requests of a client are held against. */
export type Observation = {
  readonly capabilitiesAt?: number;
  /** Where the last page ended. */
  readonly pageEnd?: number;
  /** The pause that a 429 has asked for, by class: until then, and from when on the client knew of it. */
  readonly pauses?: Readonly<Record<string, Pause>>;
  /** Of the newest certificate in use. */
  readonly certificateIssuedAt?: number;
};
type Pause = { readonly knownAt: number; readonly until: number };

const capabilitiesGood = 15 * 60_000;
/** Requests that were on their way when the 429 was answered disregard nothing. */
const onTheWay = 500;
const withoutData: ReadonlySet<string> = new Set(['getCapabilities', 'acknowledgeRevocation', 'path', 'nothing']);
const withoutETag: ReadonlySet<string> = new Set([...withoutData, 'redeemLinkCode']);

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
      ...(request.route === 'getCapabilities' && request.status === 200 && { capabilitiesAt: request.at }),
      ...(request.page && { pageEnd: request.page.to }),
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

function capabilitiesShown({ capabilitiesAt }: Observation, request: ObservedRequest): CountedKind[] {
  if (withoutData.has(request.route) || !succeeded(request)) return [];
  return [capabilitiesAt !== undefined && request.at - capabilitiesAt <= capabilitiesGood ? 'capabilities_read' : 'capabilities_not_read'];
}

/** The last page counts when it was asked for with the cursor that the page before it had brought. */
function endsItsCursor({ pageEnd }: Observation, { page }: ObservedRequest): boolean {
  return page !== null && !page.hasMore && page.from > 0 && page.from === pageEnd;
}

function conditionShown(request: ObservedRequest): CountedKind[] {
  if (!request.conditional || withoutETag.has(request.route) || !succeeded(request)) return [];
  return request.status === 304 ? ['request_conditional', 'answer_unchanged'] : ['request_conditional'];
}

function pauseShown({ pauses }: Observation, { costClass, at, status }: ObservedRequest): CountedKind[] {
  const pause = pauses?.[costClass];
  if (!pause) return [];
  if (at >= pause.until) return ['pause_honoured'];
  // What was admitted all the same had a quota left, so it is nobody's fault.
  return status === 429 && at > pause.knownAt + onTheWay ? ['pause_disregarded'] : [];
}

/** A pause ends with the first request after it; one that is disregarded goes on, as long as the latest 429 says. */
function pausesAfter({ pauses }: Observation, { costClass, at, answeredAt, retryAfterSeconds }: ObservedRequest): Record<string, Pause> {
  const { [costClass]: former, ...others } = pauses ?? {};
  const running = former && at < former.until ? former : undefined;
  if (retryAfterSeconds === null) return { ...others, ...(running && { [costClass]: running }) };
  const until = at + retryAfterSeconds * 1000;
  return { ...others, [costClass]: { knownAt: running?.knownAt ?? answeredAt, until: Math.max(until, running?.until ?? 0) } };
}

/** Issuing a newer certificate limits the former ones to their days of overlap, so its use is the rotation. */
function isRotated({ certificateIssuedAt }: Observation, request: ObservedRequest): boolean {
  const { certificateIssuedAt: issuedAt } = request;
  return succeeded(request) && issuedAt !== null && certificateIssuedAt !== undefined && issuedAt > certificateIssuedAt;
}
