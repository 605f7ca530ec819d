import type { Rows } from './Rows.ts';

type RequestedCorpus = { readonly clientNumber: number; readonly generation?: number; readonly at: Date; readonly readyAt?: Date };

/** A sandbox corpus that was requested at this time. No job has built it yet, unless `readyAt` says when one did. */
export async function requestedCorpus(database: Rows, { clientNumber, generation = 1, at, readyAt }: RequestedCorpus): Promise<void> {
  await database.rows('insert into sandbox_corpus (client_number, generation, requested_at, ready_at) values ($1, $2, $3, $4)', [
    clientNumber,
    generation,
    at,
    readyAt ?? null,
  ]);
}

/** A client whose back end has read its feed to the end at this time, as the machine API would note it. */
export async function syncedToEnd(database: Rows, clientId: string, at: Date): Promise<void> {
  await database.rows(
    `with synced as (
       insert into client_observation (client_number, state) select f.client_number, json_build_object('pageEnd', f.head, 'pageEpoch', f.epoch)
         from client_feed f join client c on c.number = f.client_number where c.id = $1
       on conflict (client_number) do update set state = excluded.state returning client_number)
     insert into client_activity (client_number, last_request_at, last_sync_at) select client_number, $2, $2 from synced
     on conflict (client_number) do update set last_sync_at = excluded.last_sync_at`,
    [clientId, at],
  );
}
