import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { Provider, useQuery, type Client } from 'urql';
import { background, createClient, onUnauthenticated } from '../../graphql/client.ts';
import { SessionContext, type Session } from './SessionContext.ts';
import { viewerQuery } from './viewerQuery.ts';

/** Gives the pages a GraphQL client and the session. A new session gets a new client, so that nothing is left of the former. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [client, setClient] = useState(createClient);
  const [ended, setEnded] = useState(false);
  const startOver = useCallback((hasEnded: boolean) => {
    setEnded(hasEnded);
    setClient(createClient());
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
const signsOfUse = ['keydown', 'pointerdown', 'wheel'] as const;

function SessionState({ client, ended, startOver, children }: SessionStateProps) {
  const [{ data: lastRead, error, fetching }, reexecute] = useQuery({ query: viewerQuery });
  // What was read by a former client says nothing about this session.
  const [readBy, setReadBy] = useState<Client | null>(null);
  if (!fetching && readBy !== client) setReadBy(client);
  const data = readBy === client ? lastRead : undefined;
  const viewer = data?.viewer ?? null;

  const [signedInWith, setSignedInWith] = useState<Client | null>(null);
  if (viewer?.kind === 'full' && signedInWith !== client) setSignedInWith(client);
  const wasSignedIn = signedInWith === client;
  const hasEnded = wasSignedIn && data !== undefined && viewer === null;

  useEffect(() => {
    if (hasEnded) startOver(true);
  }, [hasEnded, startOver]);

  // Such an answer may also mean a passkey that was not good, so the session is asked for itself.
  useEffect(() => (wasSignedIn ? onUnauthenticated(() => reexecute(background)) : undefined), [wasSignedIn, reexecute]);

  // A session ends by itself; the reader is told soon, not at the next click. Whoever types or reads on uses the session.
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

  const session = useMemo<Session>(
    () => ({
      state: data ? (viewer ? 'signed-in' : 'signed-out') : error && !fetching ? 'failed' : 'loading',
      viewer,
      ended,
      refresh: () => reexecute({ requestPolicy: 'network-only' }),
      leave: () => startOver(false),
    }),
    [data, error, fetching, viewer, ended, reexecute, startOver],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}
