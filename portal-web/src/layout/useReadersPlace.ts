import { useEffect, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/** How far down the reader was, by entry of the browser's history. It outlives a reload. */
const storageName = 'svc.places';
const places = new Map<string, number>(storedPlaces());

/** What a reader does who does not wait to be brought back. */
const ownMoves = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Milliseconds that a page may take to become as tall as it was when the reader left it. */
const patience = 5000;

/**
 * Where the reader is in a page: another page begins at its top, or at the part that its address names. Back and Reload lead to where it was
 * left, also when its content comes later. Whatever changes only the query of the address, such as a filter or a panel, moves nothing.
 */
export function useReadersPlace(): void {
  const { key, pathname, hash } = useLocation();
  const comesBack = useNavigationType() === NavigationType.Pop;
  const shown = useRef('');
  useEffect(keepPlaces, []);
  // Before the next page can scroll: what it does must not count as the reader's leaving the last one.
  useLayoutEffect(() => {
    const remember = () => places.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key]);
  useLayoutEffect(() => {
    const place = `${pathname}${hash}`;
    const stays = shown.current === place;
    shown.current = place;
    const left = comesBack ? places.get(key) : undefined;
    if (left !== undefined) return asSoonAsItGoes(() => scrollsTo(left));
    if (hash !== '') return stays && !comesBack ? undefined : asSoonAsItGoes(() => showsPart(hash));
    if (!stays || comesBack) window.scrollTo(0, 0);
    return undefined;
  }, [key, pathname, hash, comesBack]);
}

/** Keeps the places for the next time that this tab loads the portal. */
function keepPlaces(): () => void {
  window.history.scrollRestoration = 'manual';
  const keep = () => sessionStorage.setItem(storageName, JSON.stringify([...places]));
  window.addEventListener('pagehide', keep);
  return () => window.removeEventListener('pagehide', keep);
}

function storedPlaces(): [string, number][] {
  try {
    return JSON.parse(sessionStorage.getItem(storageName) ?? '[]') as [string, number][];
  } catch {
    return [];
  }
}

/** Tries now, and again whenever the page grows, until it goes, the reader moves or patience ends. Returns a function that gives up. */
function asSoonAsItGoes(attempt: () => boolean): () => void {
  const growth = new ResizeObserver(() => attempt() && giveUp());
  const timer = setTimeout(giveUp, patience);
  function giveUp() {
    growth.disconnect();
    clearTimeout(timer);
    for (const move of ownMoves) window.removeEventListener(move, giveUp);
  }
  for (const move of ownMoves) window.addEventListener(move, giveUp, { passive: true });
  if (attempt()) giveUp();
  else growth.observe(document.body);
  return giveUp;
}

function scrollsTo(place: number): boolean {
  window.scrollTo(0, place);
  return Math.abs(window.scrollY - place) < 2;
}

function showsPart(hash: string): boolean {
  const part = document.getElementById(decodeURIComponent(hash.slice(1)));
  part?.scrollIntoView();
  return part !== null;
}
