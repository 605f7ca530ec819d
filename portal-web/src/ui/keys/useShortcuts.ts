import { useEffect, useRef } from 'react';
import { addShortcuts, type Shortcuts } from './shortcuts.ts';

/**
 * Keys of a page that do something by themselves, while it is shown and `active`. Everybody can switch them off in their account, so nothing may be reachable by them
 * alone. They do nothing in fields and behind dialogs. Keys are named as the browser names them; two in a row are `g q`.
 */
export function useShortcuts(shortcuts: Shortcuts, isActive = true): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  const names = Object.keys(shortcuts).join('\n');
  useEffect(() => {
    if (!isActive) return;
    const entries = names.split('\n').map((name) => [
      name,
      {
        get label() {
          return latest.current[name]?.label ?? '';
        },
        run: () => latest.current[name]?.run(),
      },
    ]);
    return addShortcuts(Object.fromEntries(entries) as Shortcuts);
  }, [isActive, names]);
}
