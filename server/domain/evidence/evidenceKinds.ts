import { minute } from '../shared/limits.ts';
import { spanWords } from '../shared/text/spanWords.ts';

/** What the service counts for a sandbox client. The second of a pair speaks against the client. */
export const countedKinds = [
  'capabilities_read',
  'capabilities_not_read',
  'cursor_followed',
  'request_conditional',
  'answer_unchanged',
  'pause_honoured',
  'pause_disregarded',
  'link_code_redeemed',
  'tombstone_acknowledged',
  'certificate_rotated',
] as const;
export type CountedKind = (typeof countedKinds)[number];

/** How long an answer about capabilities counts as read. */
export const capabilitiesGood = 15 * minute;

type EvidenceKindRow = {
  readonly title: string;
  /** What is counted, exactly. */
  readonly explanation: string;
  readonly companion?: { readonly kind: CountedKind; readonly title: string; readonly against: boolean };
};

/** What a review looks for in the sandbox (docs/specification.md, “Evidence”), in the order in which it is shown. */
const evidenceKinds = {
  capabilities_read: {
    title: 'Capabilities read before data',
    explanation: `A data request was made within ${spanWords(capabilitiesGood)} of a response from GET /v1/capabilities.`,
    companion: { kind: 'capabilities_not_read', title: 'Data requests without reading them first', against: true },
  },
  cursor_followed: {
    title: 'Cursor followed to the end',
    explanation: 'A sync followed next_cursor until has_more was false.',
  },
  request_conditional: {
    title: 'If-None-Match used',
    explanation: 'A request sent a stored ETag in If-None-Match.',
    companion: { kind: 'answer_unchanged', title: 'Answered with 304, unchanged', against: false },
  },
  pause_honoured: {
    title: 'Retry-After honoured',
    explanation: 'After a 429, no request of the same kind was made before Retry-After had passed.',
    companion: { kind: 'pause_disregarded', title: 'Called again too early', against: true },
  },
  link_code_redeemed: {
    title: 'Link code redeemed',
    explanation: 'A link code was exchanged for a connection.',
  },
  tombstone_acknowledged: {
    title: 'Deletion acknowledged in time',
    explanation: 'A revocation was acknowledged, or its deletion recorded in the portal, before its deletion deadline.',
  },
  certificate_rotated: {
    title: 'Certificate rotated',
    explanation: 'A newer certificate came into use, and the previous one was revoked or expires within 14 days.',
  },
} as const satisfies Partial<Record<CountedKind, EvidenceKindRow>>;

export type EvidenceKind = keyof typeof evidenceKinds;
export const allEvidenceKinds = Object.keys(evidenceKinds) as readonly EvidenceKind[];

/** The words of a kind. */
export function evidenceWords(kind: EvidenceKind): EvidenceKindRow {
  return evidenceKinds[kind];
}
