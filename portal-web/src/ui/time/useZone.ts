import { useSyncExternalStore } from 'react';
import { momentWords, type MomentWords, type Zone } from './momentWords.ts';

const storageKey = 'svc-zone';
const changes = new EventTarget();

/** The zone that the reader has chosen, which this browser remembers, and a way to change it everywhere at once. */
export function useZone(): [Zone, (zone: Zone) => void] {
  return [useSyncExternalStore(subscribe, read), write];
}

/** The words for moments in that zone. */
export function useMomentWords(): MomentWords {
  return momentWords(useZone()[0]);
}

/** What is stored. Every time on a page asks for it whenever it is rendered, and a look into the storage takes long. */
let known: Zone | null = null;

window.addEventListener('storage', () => {
  known = null;
});

function read(): Zone {
  known ??= readStorage();
  return known;
}

function readStorage(): Zone {
  try {
    return localStorage.getItem(storageKey) === 'utc' ? 'utc' : 'local';
  } catch {
    // A browser may forbid storage.
    return 'local';
  }
}

function write(zone: Zone): void {
  try {
    localStorage.setItem(storageKey, zone);
  } catch {
    return;
  }
  known = null;
  changes.dispatchEvent(new Event('change'));
}

function subscribe(onChange: () => void): () => void {
  changes.addEventListener('change', onChange);
  window.addEventListener('storage', onChange);
  return () => {
    changes.removeEventListener('change', onChange);
    window.removeEventListener('storage', onChange);
  };
}
