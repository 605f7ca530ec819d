import { useEffect, useRef } from 'react';
import { offerActs, type PaletteAct } from './paletteActs.ts';

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
      return act && 'to' in act
        ? act
        : {
            label,
            run: () => {
              const now = latest.current.find((each) => each.label === label);
              if (now && 'run' in now) now.run();
            },
          };
    });
    return offerActs(current);
  }, [labels]);
}
