import { newId } from '../../../server/domain/shared/ids.ts';
import type { Rows } from './Rows.ts';

type NewSubmission = { readonly integrationId: string; readonly operatorId: string; readonly reviewerId?: string; readonly at: Date };

/** The first submission of an integration, waiting for a reviewer, who may have taken it; returns its id. */
export async function waitingSubmission(database: Rows, { integrationId, operatorId, reviewerId, at }: NewSubmission): Promise<string> {
  const id = newId('sub');
  await database.rows(
    `insert into review_submission (id, integration_id, operator_id, round, profile_version, scopes, terms_version, review_url, statement, status,
       submitted_at, waiting_for, waiting_since, reviewer_id, taken_at, submitted_from)
     values ($1, $2, $3, 1, 1, '{orders.read}', 1, 'https://example.com', '{}', 'submitted', $4, 'reviewer', $4, $5, $6, 'sandbox')`,
    [id, integrationId, operatorId, at, reviewerId ?? null, reviewerId === undefined ? null : at],
  );
  return id;
}

/** Submissions after the first one, all decided as it was, up to this number; returns their ids in order. */
export async function laterSubmissions(database: Rows, firstId: string, upTo: number): Promise<string[]> {
  const ids = Array.from({ length: upTo - 1 }, () => newId('sub'));
  await database.rows(
    `insert into review_submission select (jsonb_populate_record(s, jsonb_build_object('id', u.id, 'round', u.n + 1))).*
       from review_submission s, unnest($2::text[]) with ordinality u(id, n) where s.id = $1`,
    [firstId, ids],
  );
  return ids;
}

/** Messages of the operator in the thread of a submission. */
export async function messages(
  database: Rows,
  { id, operatorId }: { readonly id: string; readonly operatorId: string },
  count: number,
): Promise<void> {
  await database.rows(
    `insert into review_message (submission_id, author_id, author_role, body, written_at)
     select $1, $2, 'operator', 'More', now() from generate_series(1, $3::int)`,
    [id, operatorId, count],
  );
}
