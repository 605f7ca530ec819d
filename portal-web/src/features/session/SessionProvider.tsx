import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { Provider, useQuery } from 'urql';
import { background, createClient } from '../../graphql/client.ts';
import { SessionContext, type Session } from './SessionContext.ts';
import { viewerQuery } from './viewerQuery.ts';

/** Gives the pages a GraphQL client and the session. A new session gets a new client, so that nothing is left of the former. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [generation, setGeneration] = useState(0);
  const [ended, setEnded] = useState(false);
  const wasSignedIn = useRef(false);

  const startOver = useCallback(() => setGeneration((count) => count + 1), []);
  const lose = useCallback(() => {
    if (!wasSignedIn.current) return;
    wasSignedIn.current = false;
    setEnded(true);
    startOver();
  }, [startOver]);
  const client = useMemo(() => createClient(lose), [generation, lose]);

  return (
    <Provider value={client}>
      <SessionState generation={generation} ended={ended} setEnded={setEnded} startOver={startOver} wasSignedIn={wasSignedIn} lose={lose}>
        {children}
      </SessionState>
    </Provider>
  );
}

type SessionStateProps = {
  generation: number;
  ended: boolean;
  setEnded: (ended: boolean) => void;
  startOver: () => void;
  lose: () => void;
  wasSignedIn: { current: boolean };
  children: ReactNode;
};

const checkEvery = 60_000;

function SessionState({ generation, ended, setEnded, startOver, lose, wasSignedIn, children }: SessionStateProps) {
  const [{ data: lastRead, error, fetching }, reexecute] = useQuery({ query: viewerQuery });
  const [readFor, setReadFor] = useState(-1);
  // What was read for a former client says nothing about this one.
  const data = readFor === generation ? lastRead : undefined;
  const viewer = data?.viewer ?? null;

  useEffect(() => {
    if (!fetching) setReadFor(generation);
  }, [fetching, generation]);

  useEffect(() => {
    if (viewer?.kind === 'full') {
      wasSignedIn.current = true;
      setEnded(false);
    } else if (data && wasSignedIn.current) {
      lose();
    }
  }, [data, viewer, wasSignedIn, setEnded, lose]);

  // A session ends by itself; the reader is told soon, not at the next click.
  useEffect(() => {
    if (!viewer) return;
    const timer = setInterval(() => reexecute(background), checkEvery);
    return () => clearInterval(timer);
  }, [viewer, reexecute]);

  const session = useMemo<Session>(
    () => ({
      state: data ? (viewer ? 'signed-in' : 'signed-out') : error && !fetching ? 'failed' : 'loading',
      viewer,
      ended,
      refresh: () => reexecute({ requestPolicy: 'network-only' }),
      leave: () => {
        wasSignedIn.current = false;
        setEnded(false);
        startOver();
      },
    }),
    [data, error, fetching, viewer, ended, reexecute, startOver, setEnded, wasSignedIn],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}
