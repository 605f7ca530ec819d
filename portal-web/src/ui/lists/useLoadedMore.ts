import { useLocation, useNavigate } from 'react-router';

/**
 * How often the reader has asked a list for more. It is kept with the page's entry in the browser's history, so Back and a reload find the
 * list as it was left, and a new visit or another filter starts at the beginning.
 */
export function useLoadedMore(list: string): [count: number, change: (count: number) => void] {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const kept = countsIn(state);
  const change = (count: number) => {
    const next = { ...(state as object | null), loadedMore: { ...kept, [list]: count } };
    void navigate({ pathname, search, hash }, { replace: true, preventScrollReset: true, state: next });
  };
  return [kept[list] ?? 0, change];
}

function countsIn(state: unknown): Readonly<Record<string, number>> {
  return (state as { loadedMore?: Record<string, number> } | null)?.loadedMore ?? {};
}
