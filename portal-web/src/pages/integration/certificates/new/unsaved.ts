import { useCallback, useSyncExternalStore } from 'react';
import { useClient, type Client as Session } from 'urql';

/** A private key that was made on this page, until its owner has it, and the certificate for it until they are put aside. */
export type UnsavedKey = {
  readonly way: 'browser';
  /** Null until the request has been accepted. */
  readonly certificateId: string | null;
  readonly keyName: string;
  /** Null once its owner is known to have both files: then the page has forgotten it. */
  readonly keyPem: string | null;
};

/** What was handed over for a claim token, once. */
export type Claimed = { readonly fileName: string; readonly bytes: Uint8Array<ArrayBuffer>; readonly password: string };

/** The only thing that opens a P12 package, and then the package itself, until its owner says that they have it. */
export type UnsavedPackage = {
  readonly way: 'p12';
  readonly certificateId: string;
  readonly keyName: string;
  readonly claimToken: string;
  readonly claimed: Claimed | null;
};

export type Unsaved = UnsavedKey | UnsavedPackage;

/** Kept for each session, so that nothing of it remains when the session ends: a new session has a new GraphQL client. */
const memory = new WeakMap<Session, Map<string, Unsaved>>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * What this page holds in memory alone, and nowhere else, for the next certificate of a client: never in storage, in an address or in the
 * history. It outlives a visit to another page of the portal, but not a reload. The second value replaces it; null forgets it.
 */
export function useUnsaved(clientId: string): readonly [Unsaved | null, (held: Unsaved | null) => void] {
  const session = useClient();
  const held = useSyncExternalStore(subscribe, () => memory.get(session)?.get(clientId) ?? null);
  const hold = useCallback(
    (next: Unsaved | null) => {
      const ofSession = memory.get(session) ?? new Map<string, Unsaved>();
      memory.set(session, ofSession);
      if (next) ofSession.set(clientId, next);
      else ofSession.delete(clientId);
      for (const listener of listeners) listener();
    },
    [session, clientId],
  );
  return [held, hold];
}
