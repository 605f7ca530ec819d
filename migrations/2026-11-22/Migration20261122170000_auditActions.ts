import { Migration } from '@mikro-orm/migrations';

const names = [
  ['sessions.othersEnded', 'session.others_ended'],
  ['session.signedOut', 'session.signed_out'],
  ['session.endedForCopiedCookie', 'session.ended_for_copied_cookie'],
  ['serviceToken.revoked', 'service_token.revoked'],
  ['serviceToken.created', 'service_token.created'],
  ['recoveryCodes.regenerated', 'recovery_code.regenerated'],
  ['recoveryCode.used', 'recovery_code.used'],
  ['quotaOverride.withdrawn', 'quota_override.withdrawn'],
  ['quotaOverride.set', 'quota_override.set'],
  ['operator.notificationsChanged', 'operator.notifications_changed'],
  ['operator.emailChanged', 'operator.email_changed'],
  ['operator.emailChangeRequested', 'operator.email_change_requested'],
  ['operator.emailChangeConfirmed', 'operator.email_change_confirmed'],
  ['operator.emailChangeCancelled', 'operator.email_change_cancelled'],
  ['auditTrail.exported', 'audit_trail.exported'],
  ['productionGate.opened', 'production_gate.opened'],
  ['productionGate.closed', 'production_gate.closed'],
  ['feeds.reset', 'feed.reset'],
  ['tracked_resources.withdrawn', 'tracked_resource.withdrawn'],
] as const;

/** All actions of the audit trail are spelled like the tables. Existing lines are renamed, too. */
export class Migration20261122170000_auditActions extends Migration {
  override up(): void {
    const pairs = names.map(([former, present]) => `('${former}', '${present}')`).join(', ');
    this.addSql(`
      alter table audit_entry disable trigger audit_entry_only_forgets;
      update audit_entry e set action = n.present from (values ${pairs}) n(former, present) where e.action = n.former;
      alter table audit_entry enable trigger audit_entry_only_forgets;
    `);
  }
}
