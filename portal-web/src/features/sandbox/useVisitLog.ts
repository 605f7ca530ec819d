import { useCallback, useState } from 'react';
import type { Happening, LogEntry } from './visitLog.ts';

/** What happened since this page was opened, the latest first. It is kept nowhere else. */
export function useVisitLog(): [readonly LogEntry[], (happening: Happening) => void] {
  const [entries, setEntries] = useState<readonly LogEntry[]>([]);
  const add = useCallback((happening: Happening) => {
    setEntries((known) => [{ ...happening, key: known.length, at: new Date().toISOString() }, ...known]);
  }, []);
  return [entries, add];
}
