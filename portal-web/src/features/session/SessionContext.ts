import { createContext, use } from 'react';
import type { frameQuery } from '../../graphql/frameQuery.ts';
import type { ResultOf } from '../../graphql/graphql.ts';

/** The person who uses the portal. */
export type Viewer = NonNullable<ResultOf<typeof frameQuery>['viewer']>;

/** What the pages know about the session. */
export type Session = {
  /** Whether the session is still being read, could not be read, is absent or is present. */
  state: 'loading' | 'failed' | 'signed-out' | 'signed-in';
  viewer: Viewer | null;
  /** True after a session has expired, until the next one begins. */
  ended: boolean;
  /** Reads the viewer again, after a session has begun, changed or ended. */
  refresh: () => void;
  /** Discards everything that was read for the previous session. */
  leave: () => void;
  /**
   * Does so once the reader has arrived on a page for everybody, when `navigation` is done. Until then the session counts as being read, because
   * the page that the reader leaves would otherwise redirect to the sign-in page.
   */
  leaveAfter: (navigation: Promise<void> | void) => Promise<void>;
};

export const SessionContext = createContext<Session | null>(null);

/** The session, for use in any page. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession is used outside SessionProvider');
  return session;
}
