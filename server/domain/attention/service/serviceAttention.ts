import type { EntityManager } from '@mikro-orm/postgresql';
import { inOrder } from '../attentionOf.ts';
import type { AttentionItem } from '../../notification/words/AttentionItem.ts';
import { serviceNeed } from './serviceNeed.ts';
import { serviceSignals } from './serviceSignals.ts';

/** What the service as a whole needs of its administrators, as of one moment. */
type ServiceAttention = { readonly checkedAt: Date; readonly items: readonly AttentionItem[] };

/**
 * Whether the service needs somebody, and for what, the most urgent first. Nothing is fine because it could not be read: that is said first,
 * because until it has been read nobody knows what else there is. Rejects if nothing at all can be read.
 */
export async function serviceAttention(em: EntityManager, now: Date): Promise<ServiceAttention> {
  const read = await Promise.allSettled(serviceSignals.map((signal) => signal.read(em, now)));
  const [first] = read;
  if (first?.status === 'rejected' && read.every(({ status }) => status === 'rejected')) throw first.reason;
  const items = read.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const parts = serviceSignals.filter((_, place) => read[place]?.status === 'rejected').map(({ part }) => part);
  const unread = parts.length > 0 ? [serviceNeed('unread', 'failing', { parts })] : [];
  return { checkedAt: now, items: [...unread, ...inOrder(items, now)] };
}
