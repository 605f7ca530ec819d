import { startTransition, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { Provider, useQuery, type Client } from 'urql';
import { background, onChanged, onUnauthenticated, renewSessionClient, sessionClient } from '../../graphql/client.ts';
import { frameQuery } from '../../graphql/frameQuery.ts';
import type { ResultOf } from '../../graphql/graphql.ts';
import { dropTabDrafts } from '../drafts/tabDrafts.ts';
import { SessionContext, type Session } from './SessionContext.ts';

/**
 * Provides the pages with a GraphQL client and the session. A new session gets a new client, so that nothing of the previous one remains.
 */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [client, setClient] = useState(() => sessionClient().client);
  const [ended, setEnded] = useState(false);
  const startOver = useCallback((hasEnded: boolean) => {
    setEnded(hasEnded);
    setClient(renewSessionClient());
  }, []);
  return (
    <Provider value={client}>
      <SessionState client={client} ended={ended} startOver={startOver}>
        {children}
      </SessionState>
    </Provider>
  );
}

type SessionStateProps = { client: Client; ended: boolean; startOver: (hasEnded: boolean) => void; children: ReactNode };

const checkEvery = 60_000;
/** Not every text comes by keys: dictation, for example, only fills fields. */
const signsOfUse = ['keydown', 'input', 'pointerdown', 'wheel'] as const;

function SessionState({ client, ended, startOver, children }: SessionStateProps) {
  const [{ data: answered, error, fetching }, reexecute] = useQuery({ query: frameQuery });
  // Half an answer, without the viewer, does not mean that the reader is signed out.
  const lastRead = error ? undefined : answered;
  // What a previous client has read does not apply to this session.
  const [readBy, setReadBy] = useState<Client | null>(null);
  if (!fetching && readBy !== client) setReadBy(client);
  const [last, setLast] = useState<{ readonly client: Client; readonly data: ResultOf<typeof frameQuery> } | null>(null);
  if (lastRead && readBy === client && (last?.client !== client || last.data !== lastRead)) setLast({ client, data: lastRead });
  // urql drops the data with the first check that fails, and the page with all that its reader has typed would be gone.
  const data = readBy === client ? (lastRead ?? (last?.client === client ? last.data : undefined)) : undefined;
  const viewer = data?.viewer ?? null;

  const [signedInWith, setSignedInWith] = useState<Client | null>(null);
  if (viewer?.kind === 'full' && signedInWith !== client) setSignedInWith(client);
  const wasSignedIn = signedInWith === client;
  const [leaving, setLeaving] = useState(false);
  const hasEnded = wasSignedIn && !leaving && data !== undefined && viewer === null;

  useEffect(() => {
    if (hasEnded) startOver(true);
  }, [hasEnded, startOver]);

  // What another operator has left in this tab is not for this one.
  const operatorId = viewer?.operatorId;
  useEffect(() => {
    if (operatorId) dropTabDrafts(operatorId);
  }, [operatorId]);

  // This answer can also mean that a passkey was refused, so the session itself is read.
  useEffect(() => (wasSignedIn ? onUnauthenticated(() => reexecute(background)) : undefined), [wasSignedIn, reexecute]);

  // A session can expire while the page is open. The page polls, so that the reader learns of it before the next click.
  useEffect(() => {
    if (!wasSignedIn) return;
    let active = false;
    const note = () => {
      active = true;
    };
    for (const event of signsOfUse) window.addEventListener(event, note, { passive: true });
    const timer = setInterval(() => {
      reexecute(active ? { requestPolicy: 'network-only' } : background);
      active = false;
    }, checkEvery);
    return () => {
      clearInterval(timer);
      for (const event of signsOfUse) window.removeEventListener(event, note);
    };
  }, [wasSignedIn, reexecute]);

  // The number of what waits for the reader, too, is what it is after their last act.
  useEffect(() => (wasSignedIn ? onChanged(() => reexecute(background)) : undefined), [wasSignedIn, reexecute]);

  const leaveAfter = useCallback(
    async (navigation: Promise<void> | void) => {
      setLeaving(true);
      await navigation;
      // The router shows a page in a transition of React's, and this one is shown with it or after it.
      startTransition(() => {
        dropTabDrafts(null);
        setLeaving(false);
        startOver(false);
      });
    },
    [startOver],
  );

  const failed = !data && error !== undefined && !fetching;
  const known = data !== undefined && !leaving;
  const session = useMemo<Session>(
    () => ({
      state: known ? (viewer ? 'signed-in' : 'signed-out') : failed ? 'failed' : 'loading',
      viewer: known ? viewer : null,
      ended,
      refresh: () => reexecute({ requestPolicy: 'network-only' }),
      leave: () => startOver(false),
      leaveAfter,
    }),
    [known, failed, viewer, ended, reexecute, startOver, leaveAfter],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}
