import { openUsageClient } from '../../../rest-api/database/databaseClients.ts';
import { DomainError } from '../../../server/domain/shared/DomainError.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import type { FinishedRequest } from '../../../server/domain/usage/FinishedRequest.ts';
import { writeUsage } from '../../../server/domain/usage/writeUsage.ts';
import type { Rows } from './Rows.ts';

/** Requests of a client at this time in the log alone, without counters. */
export async function loggedRequests(
  database: Rows,
  { clientNumber, at }: { readonly clientNumber: number; readonly at: Date },
  count: number,
): Promise<void> {
  await database.rows(
    `insert into request_log (client_number, occurred_at, request_id, method, route, status, duration_ms)
     select $1, $2, 'req_old' || n, 'GET', 'getSync', 200, 1 from generate_series(1, $3::int) n`,
    [clientNumber, at, count],
  );
}

type Known = { clientNumber: number; commonName: string; certificate: { id: string; serial: string | null } };

/** Writes requests by a client with this certificate, as the machine API does. Returns them with their IDs. */
export async function writeRequests(
  databaseUrl: string,
  { clientNumber, commonName, certificate }: Known,
  requests: readonly Partial<FinishedRequest>[],
): Promise<FinishedRequest[]> {
  const finished = requests.map((changes): FinishedRequest => ({
    occurredAt: new Date(),
    requestId: newId('req'),
    method: 'GET',
    operation: 'getSync',
    status: 200,
    problem: null,
    durationMs: 4.2,
    certificate: { fingerprintSha256: '', serial: certificate.serial ?? '', commonName },
    certificateAccepted: true,
    client: { number: clientNumber, certificateId: certificate.id },
    logged: true,
    sandbox: null,
    ...changes,
  }));
  // In batches, as a process would.
  for (let from = 0; from < finished.length; from += 500) await writeBatch(databaseUrl, finished.slice(from, from + 500));
  return finished;
}

/** Also as a process does, what a busy machine did not take in time is written again, which changes nothing where it was taken. */
async function writeBatch(databaseUrl: string, batch: readonly FinishedRequest[], tries = 5): Promise<void> {
  const usage = openUsageClient(databaseUrl);
  try {
    await writeUsage(usage.query, batch);
  } catch (error) {
    if (tries === 1 || !(error instanceof DomainError) || error.code !== 'temporarily_unavailable') throw error;
    await writeBatch(databaseUrl, batch, tries - 1);
  } finally {
    await usage.close();
  }
}
