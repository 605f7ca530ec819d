import { latestGeneration } from '../../server/domain/statistics/latestGeneration.ts';
import { Problem } from '../answer/problemDetails.ts';
import type { Answer, Call, Services } from '../Operation.ts';

/** GET /v1/statistics/orders: the latest generation of this client. A generation never changes, so its id is the validator. */
export async function getOrderStatistics(call: Call, { read }: Services): Promise<Answer> {
  const generation = await latestGeneration(read, call.client.number);
  if (!generation) throw new Problem('not_found', { detail: 'No statistics generation has been published for this client yet.' });
  const etag = `"${generation.id}"`;
  return call.unchanged(etag) ? { notModified: true, etag } : { body: generation.text, etag };
}
