import type { StatusTone } from '../shared/text/statusWord.ts';
import type { AuditAction } from './auditActions.ts';

type ActFacts = {
  /** The step that the integration's timeline shows, or null. */
  readonly step: string | null;
  /** How it is marked among the decisions, no matter who decides; null: it does not change the integration's access. */
  readonly decision: StatusTone | null;
  /** Whether only staff do it, staff to what is somebody else's and owners to what is theirs, or (null) staff do not decide it. */
  readonly staff: 'only' | 'also' | null;
};

/** What the audit trail's entries about an integration itself mean, for the lists that show only some of them. */
export const integrationActFacts = {
  'integration.created': { step: 'created', decision: null, staff: null },
  'integration.submitted': { step: 'submitted', decision: null, staff: null },
  'integration.submission_withdrawn': { step: 'withdrawn', decision: null, staff: null },
  'integration.rejected': { step: 'rejected', decision: 'bad', staff: 'only' },
  'integration.approved': { step: 'approved', decision: 'good', staff: 'only' },
  'integration.activated': { step: 'activated', decision: 'good', staff: null },
  'integration.suspended': { step: 'suspended', decision: 'bad', staff: 'only' },
  'integration.reactivated': { step: 'reactivated', decision: 'good', staff: 'only' },
  'integration.retired': { step: 'retired', decision: 'stopped', staff: 'also' },
  'integration.gate_opened': { step: 'gateOpened', decision: 'good', staff: 'only' },
  'integration.gate_closed': { step: 'gateClosed', decision: 'stopped', staff: 'only' },
  'integration.deletions_recorded': { step: null, decision: null, staff: null },
  'integration.viewed_as_owner': { step: null, decision: null, staff: null },
} as const satisfies Readonly<Record<Extract<AuditAction, `integration.${string}`>, ActFacts>>;
