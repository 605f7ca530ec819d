import { useEffect, useRef } from 'react';
import { offerActs, onWanted, type PaletteAct, type WantedAct } from './paletteActs.ts';

/** Offers the acts of this page in the palette (⌘K) for as long as it is shown. */
export function usePageActs(acts: readonly PaletteAct[]): void {
  const latest = useRef(acts);
  useEffect(() => {
    latest.current = acts;
  });
  const labels = acts.map(({ label }) => label).join('\n');
  useEffect(() => {
    if (labels === '') return;
    const current = labels.split('\n').map((label): PaletteAct => {
      const act = latest.current.find((each) => each.label === label);
      if (!act || 'to' in act) return act ?? { label, run: () => undefined };
      const run = () => {
        const now = latest.current.find((each) => each.label === label);
        return now && 'run' in now ? now.run() : undefined;
      };
      return { ...act, run };
    });
    return offerActs(current);
  }, [labels]);
}

/** Does this act of the palette for as long as the page is shown and can: null while it cannot. */
export function useWanted(act: WantedAct, run: (() => void) | null): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  const can = run !== null;
  useEffect(() => (can ? onWanted(act, () => latest.current?.()) : undefined), [act, can]);
}
