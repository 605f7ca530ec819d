import { IsolationLevel, type EntityManager } from '@mikro-orm/postgresql';
import { type IntegrationStatus, isOver, statusesThat } from '../integration/integrationStatus.ts';
import { type Attempt, mailboxAttempts } from '../account/attempts.ts';
import { lockCredentials } from '../account/lockCredentials.ts';
import { record } from '../audit/record.ts';
import { Integration } from '../integration/Integration.ts';
import { lockIntegrations } from '../integration/lockIntegration.ts';
import { notify } from '../notification/notify.ts';
import { releaseTaken } from '../review/reviewer/releaseTaken.ts';
import type { Actor, OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { noteLock } from '../shared/locks.ts';
import { sql } from '../shared/sql.ts';
import { revocationLifecycle, undeletedStates } from '../sharing/revocationStatus.ts';
import { lockAdministrators, refuseLastAdministrator } from './lastAdministrator.ts';
import { retire } from './retireIntegration.ts';
import { integrationFacts } from '../integration/integrationFacts.ts';
import { factsIn } from '../shared/lifecycle.ts';

export type NamedIntegration = { readonly slug: string; readonly publicName: string };

/** What deleting the account would do, and what stands in its way. */
export type AccountDeletion = {
  /** Would be retired. As many are named as fit on a page. */
  readonly retires: readonly NamedIntegration[];
  /** Under review: they must first be decided or withdrawn. */
  readonly submitted: readonly NamedIntegration[];
  /** Production data is still shared with them, or its deletion is outstanding. */
  readonly undeleted: readonly NamedIntegration[];
};

const named = 100;

/** By integration_operator; clients, connections and revocations by their keys, up to the first one. */
const integrationsSql = `
select i.slug, v.public_name as "publicName", i.status, exists (
         select 1 from client k where k.integration_id = i.id and k.environment = 'production' and (
              exists (select 1 from revocation r where r.client_number = k.number and ${revocationLifecycle.isIn(undeletedStates, { row: 'r' })})
           or exists (select 1 from connection c where c.client_number = k.number and c.revocation_id is null))) as undeleted
  from integration i join profile_version v on v.integration_id = i.id and v.version = i.profile_version
 where i.operator_id = $1 order by i.created_at desc, i.id desc`;

/** Of the account's own lines and its back ends', this deletion's included. No process may alter the trail, so a function of the database's does. */
export const forgetAddressesSql = `select forget_addresses($1)`;

/** What the page tells before the operator decides. */
export async function accountDeletion(em: EntityManager, operatorId: string): Promise<AccountDeletion> {
  const rows = await sql<NamedIntegration & { status: IntegrationStatus; undeleted: boolean }>(em, integrationsSql, [operatorId]);
  const names = (chosen: typeof rows) => chosen.slice(0, named).map(({ slug, publicName }) => ({ slug, publicName }));
  return {
    retires: names(rows.filter(({ status }) => !isOver(status))),
    submitted: names(rows.filter(({ status }) => factsIn(integrationFacts, status).isInReview)),
    undeleted: names(rows.filter(({ undeleted }) => undeleted)),
  };
}

type DeleteAccount = { readonly actor: OperatorActor; readonly sessionId: string; readonly now: Date };

/**
 * Deletes the account (docs/specification.md, “Account deletion”): address, passkeys, sessions and recovery codes go, every integration is
 * retired, and only `opr_…` is left for the audit trail, without the addresses that its lines came from. Production data that users shared
 * has to be deleted first, which means that nothing is shared any more and every deletion is acknowledged or recorded; a deleted account
 * could not do it. Sandboxes do not count, since their test data is about nobody. Errors: conflict, unauthenticated (the session has ended meanwhile).
 */
export async function deleteAccount(em: EntityManager, { actor, sessionId, now }: DeleteAccount): Promise<void> {
  const { operatorId } = actor;
  await em.transactional(
    async (tx) => {
      await lockAdministrators(tx);
      await lockCredentials(tx, { operatorId, sessionId, confirmedAt: now });
      // Not by the session's roles, because the account may have become the last administrator since the request began.
      await refuseLastAdministrator(tx, operatorId);
      await refuseWhileBlocked(tx, operatorId);
      await record(tx, actor, now, { action: 'operator.deleted', subject: { type: 'operator', id: operatorId } });
      // A review is respected, whatever role the owner has.
      await endAccount(tx, { operatorId, actor: { ...actor, roles: [] }, reason: '', now });
      // Something may have been shared since we looked. Retiring has turned it into an outstanding deletion.
      await refuseWhileBlocked(tx, operatorId);
      await sql(tx, forgetAddressesSql, [operatorId]);
    },
    { isolationLevel: IsolationLevel.READ_COMMITTED },
  );
}

type EndAccount = { readonly operatorId: string; readonly actor: Actor; readonly reason: string; readonly now: Date };

/**
 * What a deletion and the closing by the terminal have in common, in a transaction (READ COMMITTED) that holds the account: its owner is told
 * by a last mail, what names or admits them goes, and all integrations are retired. Errors: conflict.
 */
export async function endAccount(tx: EntityManager, { operatorId, actor, reason, now }: EndAccount): Promise<void> {
  await notify(tx, {
    kind: 'account_deleted',
    subjectId: operatorId,
    operatorId,
    ...(reason !== '' && { details: { reason } }),
    now,
  });
  await removePersonalData(tx, operatorId);
  const owned = await tx.find(Integration, { operatorId, status: { $nin: [...statusesThat(isOver)] } });
  const integrations = await lockIntegrations(
    tx,
    owned.map(({ id }) => id),
  );
  await releaseTaken(tx, { reviewerId: operatorId, actor, because: 'account deleted', now });
  await retire(tx, { integrations, actor, reason, now });
  await emptyAccount(tx, operatorId, now);
}

async function refuseWhileBlocked(tx: EntityManager, operatorId: string): Promise<void> {
  const { submitted, undeleted } = await accountDeletion(tx, operatorId);
  if (submitted.length > 0) {
    throw new DomainError('conflict', {
      detail: `${namesOf(submitted)} is under review. Withdraw the submission or wait for the decision; then delete the account.`,
    });
  }
  if (undeleted.length > 0) {
    throw new DomainError('conflict', {
      detail: `${namesOf(undeleted)} still holds users’ production data. Retire it, delete every copy and record the deletions; then delete the account.`,
    });
  }
}

function namesOf(integrations: readonly NamedIntegration[]): string {
  const [first, ...others] = integrations.map(({ publicName }) => `“${publicName}”`);
  return others.length > 0 ? `${first} (and ${others.length} more)` : (first ?? '');
}

/**
 * Everything that names the person or lets them in, except for the account's own row. What an integration says about itself in public stays
 * with the retired integration.
 */
async function removePersonalData(tx: EntityManager, operatorId: string): Promise<void> {
  const attempts = await attemptsOf(tx, operatorId);
  noteLock(tx, 'verificationLink');
  await sql(tx, 'delete from verification_link where operator_id = $1 or email_key = (select email_key from operator where id = $1)', [
    operatorId,
  ]);
  await forgetAttempts(tx, attempts);
  noteLock(tx, 'passkey');
  noteLock(tx, 'session');
  for (const statement of [
    'delete from email_change where operator_id = $1',
    // Before the sessions, because a sign-in in progress holds its passkey until its session is stored, with the address in it.
    'delete from passkey where operator_id = $1',
    // An enrolment's session has an address before there is an operator.
    `delete from portal_session where operator_id = $1 or (operator_id is null and lower(email) = (select email_key from operator where id = $1))`,
    'delete from recovery_code where operator_id = $1',
    // The record that the terms were accepted, and when, is kept.
    'update terms_acceptance set ip = null where operator_id = $1',
  ]) {
    await sql(tx, statement, [operatorId]);
  }
}

/**
 * After every lock, because a transaction that is still storing something for this account holds one of them and must be able to name the account.
 * Mails to its owner are deleted, too.
 */
async function emptyAccount(tx: EntityManager, operatorId: string, now: Date): Promise<void> {
  await sql(tx, `delete from mail where operator_id = $1 and kind <> 'account_deleted'`, [operatorId]);
  // Its row stays, with its proof (docs/specification.md, “Lost accounts”).
  await sql(tx, 'update account_reset set cancelled_at = $2 where operator_id = $1 and cancelled_at is null and done_at is null', [
    operatorId,
    now,
  ]);
  await sql(
    tx,
    `update operator set email = null, email_key = null, user_handle = null, roles = '{}', muted_notifications = '{}', deleted_at = $2 where id = $1`,
    [operatorId, now],
  );
}

/** The attempts that the account's links have used. */
async function attemptsOf(tx: EntityManager, operatorId: string): Promise<Attempt[]> {
  const rows = await sql<{ key: string; network: string | null }>(
    tx,
    `select distinct o.email_key as key, l.network from operator o left join verification_link l on l.email_key = o.email_key where o.id = $1`,
    [operatorId],
  );
  return rows.flatMap(({ key, network }) => mailboxAttempts(key, network ?? ''));
}

/**
 * What was counted for the account's mailbox, alone and with each network from which a link was requested. A network's own window stays.
 */
async function forgetAttempts(tx: EntityManager, attempts: readonly Attempt[]): Promise<void> {
  noteLock(tx, 'attempt');
  for (const kind of ['registration_mailbox_ip', 'registration_mailbox']) {
    const sources = attempts.filter((attempt) => attempt.kind === kind).map(({ source }) => source);
    await sql(tx, 'delete from attempt_window where kind = $1 and source = any ($2)', [kind, sources]);
  }
}
