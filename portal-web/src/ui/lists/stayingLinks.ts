import { createContext, useCallback, useEffect, useRef, useState, type MouseEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** Whether an address changes nothing but the query. Then it opens something beside the list. */
export function isStaying(to: string): boolean {
  return to.startsWith('?');
}

type Follow = (event: MouseEvent<HTMLAnchorElement>, rowKey: string) => void;

/** How the links of a list are followed that open something beside it. */
export const FollowStayingLink = createContext<Follow>(() => undefined);

/**
 * Follows a row's link that opens something beside a list, where `current` is open now. The page stays where it is, with all that it keeps. The list
 * gives this to its links: a link that knows where the reader is would be rendered again with every change of that, and a long list has
 * many. Also tells the key of the row that is about to open, which the list marks at once: on a slow machine, what opens comes later.
 */
export function useStayingLinks(current: string): { readonly follow: Follow; readonly opening: string | null } {
  const navigate = useNavigate();
  const { state } = useLocation();
  const [clicked, setClicked] = useState<{ readonly opening: string | null; readonly before: string }>({ opening: null, before: current });
  if (clicked.before !== current) setClicked({ opening: null, before: current });
  const latest = useRef<unknown>(state);
  useEffect(() => {
    latest.current = state;
  });
  const follow: Follow = useCallback(
    (event, rowKey) => {
      const to = event.currentTarget.getAttribute('href');
      // With one of these keys, the browser opens the address elsewhere.
      if (to === null || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setClicked(({ before }) => ({ opening: rowKey, before }));
      // A row that is open already is no other place to come back from.
      const replace = event.currentTarget.href === window.location.href;
      void navigate(to, { state: latest.current, preventScrollReset: true, replace });
    },
    [navigate],
  );
  return { follow, opening: clicked.opening };
}
