import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { operations } from '../../../rest-api/operations.ts';
import { permissions } from '../../../server/domain/access/permissions.ts';
import type { Certificate } from '../../../server/domain/certificate/Certificate.ts';
import type { Integration } from '../../../server/domain/integration/Integration.ts';
import type { ReviewSubmission } from '../../../server/domain/review/ReviewSubmission.ts';
import type { SandboxCorpus } from '../../../server/domain/sandbox/SandboxCorpus.ts';
import type { Mover, TransitionTable } from '../../../server/domain/shared/stateMachine.ts';
import { lifecycles, statusWrites } from './statusWrites.ts';

const sources = ['server', 'rest-api', 'workers'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file)),
);

test('no statement moves anything of a user’s past the table of its lifecycle', () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.flatMap((file) => statusWrites(readFileSync(file, 'utf8')).map((statement) => `${file}: ${statement}`))).toEqual([]);
});

test('every lifecycle of a user’s things is among those that are looked at', () => {
  const made = sources.flatMap((file) => readFileSync(file, 'utf8').match(/= (status|marked)Lifecycle\(/g) ?? []);
  expect(made).toHaveLength(lifecycles.length);
});

test.each([
  'sql(tx, `update certificate x set failure = $1, status = $2 from client k where k.number = x.client_number`)',
  "sql(tx, 'update link_code set cancelled_at = $2 where id = $1')",
  'sql(tx, `update revocation r\n   set acknowledged_late = true, ${more} where r.id = $1`)',
  '`with late as (select 1) ${late} update sandbox_corpus set ready_at = $3`',
  '`select ${`update review_submission set decided_at = $1`}`',
  "`insert into certificate (id, status) values ($1, 'issued')`",
  '`insert into link_code (id) values ($1) on conflict (id) do update set redeemed_at = $2 where true`',
  "em.nativeUpdate(Certificate, { id }, { status: 'failed' })",
  "em.assign(certificate, { slot: null, status: 'revoked' })",
  "tx.create(Certificate, { id, status: 'pending' })",
])('a statement that moves something by itself is found: %s', (statement) => {
  expect(statusWrites(statement)).not.toEqual([]);
});

test.each([
  '`update certificate x set ${sets(`issueCertificate`, { pem: `$2` })} where x.id = $1 and x.slot = 1`',
  "sql(tx, 'update link_code set statistics_opted_in = $2 where redeemed_at is null')",
  '`insert into revocation (client_number, id, revoked_at, deletion_deadline_at) values ($1, $2, $3, $4)`',
  "tx.create(Certificate, { id, ...begin(certificateTransitions, 'requestCertificate', written) })",
])('one that leaves the lifecycle to its table is not: %s', (statement) => {
  expect(statusWrites(statement)).toEqual([]);
});

/** Only the compiler runs this: each line has to be refused. */
export function assignments(certificate: Certificate, submission: ReviewSubmission, corpus: SandboxCorpus, integration: Integration): void {
  // @ts-expect-error: only the lifecycle writes it
  certificate.status = 'issued';
  // @ts-expect-error: only the lifecycle writes it
  certificate.revokedAt = new Date(0);
  // @ts-expect-error: only the lifecycle writes it
  submission.status = 'approved';
  // @ts-expect-error: only the lifecycle writes it
  submission.reviewerId = null;
  // @ts-expect-error: only the lifecycle writes it
  corpus.readyAt = new Date(0);
  // @ts-expect-error: only the lifecycle writes it
  integration.status = 'active';
  // @ts-expect-error: only the lifecycle writes it
  integration.reviewedProfileVersion = 1;
}

const operationsBy: Readonly<Record<Mover, string>> = {
  owner: 'operator',
  reviewer: 'reviewer',
  administrator: 'administrator',
  tooling: 'serviceToken',
  client: 'client',
  service: 'service',
};

test('a role that a table lets move something may call the operation of that name', () => {
  const callers = new Map<string, string>([
    ...Object.entries(permissions).map(([name, { by }]) => [name, by] as const),
    ...operations.map(({ name }) => [name, 'client'] as const),
  ]);
  const checked = lifecycles.flatMap(({ transitions }: { readonly transitions: TransitionTable<string> }) =>
    Object.entries(transitions).flatMap(([action, { by }]) => {
      const caller = callers.get(action);
      if (caller === undefined) return [];
      expect([action, by.map((mover) => operationsBy[mover])]).toEqual([action, expect.arrayContaining([caller])]);
      return [action];
    }),
  );
  expect(checked.length).toBeGreaterThan(20);
});
