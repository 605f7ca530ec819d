import type { EntityManager } from '@mikro-orm/postgresql';
import { Authority } from './domain/certificate/Authority.ts';
import { crlStates } from './domain/certificate/crl/publication/currentCrl.ts';
import { crlAge, crlRemaining, issuingAuthorityRemaining } from './platform/metrics.ts';

/**
 * Brings the metrics of the revocation lists and of the newest issuing authority up to date. While the database is out of reach they have no values, because old ones would
 * look like good ones.
 */
export async function observeCrls(em: EntityManager, now: Date): Promise<void> {
  const states = await crlStates(em, now).catch(() => []);
  crlAge.reset();
  crlRemaining.reset();
  for (const { authorityId: authority, list } of states) {
    const secondsUntil = (time: Date) => (time.getTime() - now.getTime()) / 1000;
    // An authority without a list, such as an offline root before the first import, needs somebody as much as one whose list has ended.
    crlRemaining.set({ authority }, list ? secondsUntil(list.nextUpdate) : 0);
    if (list) crlAge.set({ authority }, -secondsUntil(list.thisUpdate));
  }
  const newest = await em.findOne(Authority, { kind: 'issuing', retiredAt: null }).catch(() => null);
  issuingAuthorityRemaining.reset();
  if (newest) issuingAuthorityRemaining.set({ authority: newest.id }, (newest.notAfter.getTime() - now.getTime()) / 1000);
}
