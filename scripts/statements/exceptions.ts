/** Files with calls whose texts only a running process knows: how many, and why. None of them says what a row is. */
export const unreadable: Readonly<Record<string, { readonly calls: number; readonly because: string }>> = {
  'server/domain/audit/auditMonth.ts': { calls: 2, because: 'a month’s partition has a name of its own' },
  'server/database/migration/runMigration.ts': { calls: 3, because: 'migrations are files, and run in every database that is checked' },
  'server/database/roles/applyGrants.ts': { calls: 2, because: 'grants to roles whose names are configured, run in every database' },
  'server/database/roles/setRolePasswords.ts': { calls: 1, because: 'statements about roles take no parameters' },
  'server/database/roles/loginRoles.ts': { calls: 3, because: 'statements about roles take no parameters' },
  'server/database/backup/takeBackup.ts': { calls: 1, because: 'a server is asked for a copy of itself in the replication protocol' },
  'server/database/embeddedPostgres.ts': { calls: 1, because: 'a database is created for an owner whose name is configured' },
  'server/database/connection/openPipelines.ts': { calls: 1, because: 'it runs what callers of its `query` give' },
  'server/database/connection/PooledClient.ts': { calls: 1, because: 'it passes on what callers of its `query` give' },
  'workers/webhooks/connections.ts': { calls: 2, because: 'it runs what callers of its `query` give' },
};

/** Columns that are never null although PostgreSQL cannot know it, and why. */
export const filled: Readonly<Record<string, { readonly columns: readonly string[]; readonly because: string }>> = {
  'server/database/emitSchemaSql.ts': { columns: ['text'], because: 'only what the catalogue does not have is null' },
  'server/domain/notification/sendMail.ts': { columns: ['recipient'], because: 'an account that is not deleted has an address' },
  'server/domain/programme/deleteAccount.ts': { columns: ['key'], because: 'an account that is not deleted has an address' },
  'server/domain/account/address/requestEmailChange.ts': {
    columns: ['email', 'key'],
    because: 'an account that is not deleted has an address',
  },
  'server/domain/account/recovery/redeemRecoveryCode.ts': { columns: ['email'], because: 'an account that is not deleted has an address' },
  'server/domain/account/address/confirmEmailChange.ts': { columns: ['changeId'], because: 'links of these purposes belong to a change' },
  'server/domain/certificate/certificateBundle.ts': { columns: ['issuer_id'], because: 'a certificate with its PEM has an issuer' },
  'server/domain/certificate/issueCertificate.ts': { columns: ['serial'], because: 'the statement has just written it' },
  'server/domain/certificate/renewal/renewCertificate.ts': {
    columns: ['renewableFrom', 'usableUntil'],
    because: 'a certificate that makes calls has been issued',
  },
  'server/domain/certificate/crl/publication/publishCrl.ts': {
    columns: ['serial', 'reason', 'ended'],
    because: 'what is revoked has a reason, and the rows are chosen by their serial, whose end is reserved with it',
  },
  'server/domain/certificate/warnOfExpiringCertificates.ts': {
    columns: ['subject'],
    because: 'a condition says that a threshold has passed',
  },
  'server/domain/client/admission/admit.ts': {
    columns: ['profile_version', 'production_data_enabled', 'certificate_usable_until', 'minute_start', 'class_start', 'class_count'],
    because: 'the one row of an admitted or known certificate, whose client has a profile, a gate and windows',
  },
  'server/domain/feed/findSharedResource.ts': { columns: ['history_complete'], because: 'read only with `core`, from the same row' },
  'server/domain/search/find.ts': { columns: ['publicName'], because: 'an integration has a profile' },
  'server/domain/gate/gateHistory.ts': { columns: ['changedBy'], because: 'only administrators move the gate' },
  'server/domain/sandbox/sandboxNextSync.ts': { columns: ['at'], because: 'what has no revocation has changed at some time' },
  'server/domain/sharing/consent/extendShare.ts': { columns: ['tracked_resource_id'], because: 'what is shared is tracked' },
  'server/domain/webhook/alert/warnOfDeadLetters.ts': { columns: ['urls'], because: 'read only where letters were counted' },
  'server/domain/webhook/delivery/dueDeliveries.ts': {
    columns: ['endpoint_id', 'operator_id', 'url', 'payload_mode', 'failures_in_row', 'environment', 'event_id', 'type', 'occurred_at'],
    because: 'they are read only where `discard` does not say that an endpoint or event is gone',
  },
  'server/domain/webhook/delivery/storeResults.ts': { columns: ['releasable'], because: 'each reason has its case' },
  'server/domain/webhook/history/failureGroups.ts': { columns: ['firstAt', 'lastAt'], because: 'what is dead has ended' },
  'server/domain/webhook/signing/deliveryKey.ts': { columns: ['wrapped'], because: 'only a retired key is without its private half' },
};
