import { useMemo, useSyncExternalStore } from 'react';

/** What a reload leaves of a key that was made in this browser tab: that there was one, and never the key itself. */
export type KeyTrace = {
  readonly keyName: string;
  /** Null until the request has been accepted and the browser has been given the file with the key. */
  readonly certificateId: string | null;
};

const nameFor = (clientId: string) => `svc.key-made-here.${clientId}`;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The trace of a key whose certificate has not been downloaded yet, or null. */
export function useKeyTrace(clientId: string): KeyTrace | null {
  const text = useSyncExternalStore(subscribe, () => readItem(nameFor(clientId)));
  return useMemo(() => parse(text), [text]);
}

/** Leaves a trace for after a reload; null removes it. In a browser without storage there is none, and a reload says nothing. */
export function writeKeyTrace(clientId: string, trace: KeyTrace | null): void {
  try {
    if (trace) window.sessionStorage.setItem(nameFor(clientId), JSON.stringify(trace));
    else window.sessionStorage.removeItem(nameFor(clientId));
  } catch {
    // Storage is full or switched off.
  }
  for (const listener of listeners) listener();
}

function readItem(key: string): string | null {
  try {
    return window.sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function parse(text: string | null): KeyTrace | null {
  try {
    const { keyName, certificateId = null } = JSON.parse(text ?? '{}') as Partial<KeyTrace>;
    return keyName ? { keyName, certificateId } : null;
  } catch {
    return null;
  }
}
