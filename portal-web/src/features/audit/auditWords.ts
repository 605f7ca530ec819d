import { capital } from '../../../../server/domain/shared/text/firstLetter.ts';
import type { AuditEntry } from './auditQuery.ts';

const particular: Readonly<Record<string, string>> = {
  'operator.registered': 'Account registered',
  'session.opened': 'Signed in',
  'session.signed_out': 'Signed out',
  'session.others_ended': 'All other sessions ended',
  'session.ended_for_copied_cookie': 'Session ended: its cookie was copied',
  'terms.accepted': 'Terms accepted',
  'audit_trail.exported': 'Audit trail exported',
  'audit_trail.month_dropped': 'Month removed from the audit trail',
  'audit_trail.month_exported': 'Month of the audit trail exported',
  'authority.imported': 'Issuing authority imported',
  'authority.requested': 'Issuing authority requested',
  'business_model.reported': 'Change of business model reported',
  'client.renewal_switched_off': 'Automatic renewal switched off',
  'client.renewal_switched_on': 'Automatic renewal switched on',
  'client.scopes_changed': 'Scopes of the client changed',
  'integration.deletions_recorded': 'Several deletions recorded',
  'integration.gate_closed': 'Production gate of the integration closed',
  'integration.gate_opened': 'Production gate of the integration opened',
  'integration.submission_withdrawn': 'Submission withdrawn',
  'integration.viewed_as_owner': 'Looked at the integration as its owner',
  'key_ring.rotated': 'New key added to the key ring',
  'operator.closed': 'Account closed by the service',
  'operator.deleted': 'Account deleted',
  'operator.email_change_cancelled': 'Change of address cancelled',
  'operator.email_change_confirmed': 'Change of address confirmed from one address',
  'operator.email_change_requested': 'Change of address requested',
  'operator.email_changed': 'Address changed',
  'operator.locked': 'Account locked',
  'operator.notifications_changed': 'Email settings changed',
  'operator.recovered': 'Account recovered',
  'operator.unlocked': 'Account unlocked',
  'key_package.blocked': 'Key package removed after wrong tokens',
  'key_package.claim_refused': 'Wrong claim token entered',
  'key_package.expired': 'Key package not claimed in time',
  'quota_override.set': 'Quota changed',
  'quota_override.withdrawn': 'Quota returned to the baseline',
  'revocation.deletion_recorded': 'Deletion recorded',
  'revocation.acknowledged': 'Deletion acknowledged',
  'revocation.warned': 'Owner warned about a deletion',
  'sandbox_corpus.activated': 'Test data ready',
  'sandbox_corpus.requested': 'Test data requested',
  'sandbox_link_code.generated': 'Sandbox link code created',
  'statistics_participation.set': 'Participation in statistics changed',
  'submission.question_answered': 'Review question answered',
  'submission.question_asked': 'Review question asked',
  'submission.released': 'Submission returned to the queue',
  'submission.verdicts_given': 'Verdicts given',
  'tracked_resource.withdrawn': 'Resources withdrawn',
  'wrapping_key.changed': 'Stored keys wrapped under a new key',
  'commercial_agreement.recorded': 'Agreement recorded',
  'commercial_agreement.withdrawn': 'Agreement withdrawn',
  'feed.reset': 'All feeds reset',
  'integration.submitted': 'Submitted for production review',
  'profile.revised': 'Profile changed',
  'production_gate.closed': 'Production gate of the service closed',
  'production_gate.opened': 'Production gate of the service opened',
  'recovery_code.regenerated': 'New recovery codes generated',
  'sandbox_resource.advanced': 'Resource advanced in the sandbox',
  'sandbox_resource.shipping_event_added': 'Shipping event added in the sandbox',
  'sandbox_share.revoked': 'Access revoked in the sandbox',
  'sandbox_statistics.published': 'Statistics published in the sandbox',
  'session.replaced': 'Session replaced by a new sign-in',
  'signing_key.published': 'New key for deliveries published',
  'signing_key.revoked': 'Key for deliveries revoked',
  'signing_key.rotated': 'Deliveries signed with the next key',
  'submission.taken': 'Submission assigned to a reviewer',
};

/** Whether a text is the name of an action, such as integration.suspended. */
export function isAction(text: string): boolean {
  return /^[a-z_]{1,60}\.[a-z_]{1,60}$/.test(text);
}

/** An action in words, as in "Integration suspended" for "integration.suspended". */
export function actionWords(action: string): string {
  const words = action.replaceAll(/[._]/g, ' ');
  return particular[action] ?? capital(words);
}

/** The actor, in the words that the owner of the account or integration reads. */
export function ownActorWords({ actorType, actorId }: AuditEntry, viewerId: string | null): string {
  if (actorType === 'operator') return actorId !== null && actorId === viewerId ? 'You' : 'Staff of the service';
  return actorTypeWords[actorType] ?? actorType;
}

/** Who acted, as administrators read it. The entry’s details name the job by which the service did it. */
export function actorWords({ actorType, actorId, actorName }: Pick<AuditEntry, 'actorType' | 'actorId' | 'actorName'>): string {
  if (actorName) return actorName;
  if (actorType === 'system') return actorId === 'terminal' ? 'A command on the server' : 'The service';
  return actorId ?? actorTypeWords[actorType] ?? actorType;
}

export const actorTypeWords: Readonly<Record<string, string>> = {
  operator: 'Operator',
  client: 'Your back end',
  service_token: 'The order-tracking service',
  system: 'The service',
  anonymous: 'Not signed in',
};

/** The subject of an entry as administrators read it: its name, or its identifier if it has none; null if the action says it all. */
export function subjectWords({ subjectType, subjectId, subjectName }: AuditEntry): string | null {
  if (subjectType === 'service') return null;
  return subjectType === 'terms' ? `(version ${subjectId})` : (subjectName ?? subjectId);
}
