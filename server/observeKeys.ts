import type { EntityManager } from '@mikro-orm/postgresql';
import { authorityEnds } from './domain/certificate/authority/authorityEnds.ts';
import { crlStates } from './domain/certificate/crl/publication/currentCrl.ts';
import { webhookLimits } from './domain/outbox/webhookLimits.ts';
import { currentKeySince } from './domain/webhook/signing/jwks.ts';
import { authorityRemaining, crlAge, crlRemaining, signingKeyAge, signingKeyRemaining } from './platform/metrics.ts';

const secondsBetween = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 1000;

/**
 * Brings the metrics of the authorities, of their revocation lists and of the keys of signed deliveries up to date. While the database is out of
 * reach they have no values, because old ones would look like good ones.
 */
export async function observeKeys(em: EntityManager, now: Date): Promise<void> {
  for (const metric of [crlAge, crlRemaining, authorityRemaining]) metric.reset();
  for (const metric of [signingKeyAge, signingKeyRemaining]) metric.remove();
  await Promise.allSettled([observeAuthorities, observeLists, observeSigningKey].map((observe) => observe(em.fork(), now)));
}

async function observeAuthorities(em: EntityManager, now: Date): Promise<void> {
  const ends = await authorityEnds(em);
  if (ends) authorityRemaining.set({ authority: 'issuing' }, secondsBetween(now, ends.issuing));
  if (ends?.root) authorityRemaining.set({ authority: 'root' }, secondsBetween(now, ends.root));
}

async function observeLists(em: EntityManager, now: Date): Promise<void> {
  const states = await crlStates(em, now);
  for (const authority of ['root', 'issuing'] as const) {
    const lists = states.filter(({ kind }) => kind === authority).map(({ list }) => list);
    const ages = lists.flatMap((list) => (list ? [secondsBetween(list.thisUpdate, now)] : []));
    // An authority without a list, such as an offline root before the first import, needs somebody as much as one whose list has ended.
    const remaining = lists.map((list) => (list ? secondsBetween(now, list.nextUpdate) : 0));
    if (ages.length > 0) crlAge.set({ authority }, Math.max(...ages));
    if (remaining.length > 0) crlRemaining.set({ authority }, Math.min(...remaining));
  }
}

async function observeSigningKey(em: EntityManager, now: Date): Promise<void> {
  const since = await currentKeySince(em);
  if (!since) return;
  signingKeyAge.set(secondsBetween(since, now));
  signingKeyRemaining.set(webhookLimits.signingKeyRotation / 1000 - secondsBetween(since, now));
}
