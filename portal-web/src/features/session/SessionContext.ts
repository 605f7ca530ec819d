import { createContext, use } from 'react';
import type { ResultOf } from '../../graphql/graphql.ts';
import type { viewerQuery } from './viewerQuery.ts';

/** Who is looking at the portal. */
export type Viewer = NonNullable<ResultOf<typeof viewerQuery>['viewer']>;

/** The session as the pages see it. */
export type Session = {
  /** Still unknown (first load), nobody, or somebody. */
  state: 'loading' | 'failed' | 'signed-out' | 'signed-in';
  viewer: Viewer | null;
  /** True when a session ended by itself, until the next one begins. */
  ended: boolean;
  /** Reads the viewer again, after anything that began, changed or ended a session. */
  refresh: () => void;
  /** Forgets everything that was read for the former session. */
  leave: () => void;
};

export const SessionContext = createContext<Session | null>(null);

/** The session of the page. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession is used outside SessionProvider');
  return session;
}
