import { limits } from '../../shared/limits.ts';
import type { ClientFacts } from './IntegrationFacts.ts';

type Share = Pick<ClientFacts, 'requests' | 'refused'>;

/** Whether so few of a client’s requests are refused that they need nobody. */
export function areFewRefused({ requests, refused }: Share): boolean {
  const { least, some } = limits.refusedRequests;
  return refused < least || refused / requests < some;
}
