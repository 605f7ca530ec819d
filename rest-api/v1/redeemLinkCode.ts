import { performance } from 'node:perf_hooks';
import { redeemLinkCode as redeem } from '../../server/domain/sharing/link-code/redeemLinkCode.ts';
import { invalidBody, Problem } from '../answer/problemDetails.ts';
import { refusalMoment } from '../answer/refusalMoment.ts';
import type { Answer, Call, Services } from '../Operation.ts';

/**
 * POST /v1/link-codes/redeem: exchanges a code for a connection and its resources. Every refusal of a well-formed code is the same 404,
 * given at a fixed moment after the whole request has arrived. The code is used for nothing but its HMAC.
 */
export async function redeemLinkCode(call: Call, { run, lookupKeys, clock }: Services): Promise<Answer> {
  const arrivedAt = performance.now();
  const code = readCode(call);
  const { actor, client } = call;
  const redeemed = await run(client.number, (em) => redeem(em, { actor, client, lookupKeys, code, now: clock.now() }));
  if (redeemed === null) {
    await refusalMoment(arrivedAt);
    throw new Problem('link_code_not_redeemable');
  }
  return { body: { connection_id: redeemed.connectionId, resources: redeemed.resources.map(({ id, type }) => ({ id, type })) } };
}

function readCode({ body: { code } }: Call): string {
  if (typeof code !== 'string' || !/^[0-9]{10}$/.test(code)) throw invalidBody('/code', 'Must be a string of exactly ten digits.');
  return code;
}
