import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { inboxCountQuery } from './inboxCountQuery.ts';

/** How many things need the reader, and how many news they have not read. */
export type InboxCount = { readonly needs: number; readonly unread: number };

const always = () => true;

/** What stands in the header about the inbox. It is read again every minute. */
export function useInboxCount(): InboxCount {
  const [{ data }] = usePolledQuery({ query: inboxCountQuery, variables: {}, whileTrue: always, every: 60_000 });
  return { needs: data?.viewer?.attentionCount ?? 0, unread: data?.viewer?.unreadNews ?? 0 };
}
