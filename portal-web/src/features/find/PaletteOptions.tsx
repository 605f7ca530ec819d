import { useEffect } from 'react';
import { FoundOption } from './FoundOption.tsx';
import classes from './Palette.module.css';
import type { PaletteGroup, PaletteOption } from './paletteGroups.ts';

type OptionsProps = {
  id: string;
  groups: readonly PaletteGroup[];
  active: number;
  onChoose: (option: PaletteOption) => void;
  onPoint: (at: number) => void;
};

/** The lines of the palette, in groups. The field above keeps the focus and has the keys; the pointer is only another way. */
export function PaletteOptions({ id, groups, active, onChoose, onPoint }: OptionsProps) {
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const startOf = (group: PaletteGroup) => groups.slice(0, groups.indexOf(group)).reduce((sum, { options }) => sum + options.length, 0);
  return (
    <div id={id} role="listbox" aria-label="Results" className={classes.list}>
      {groups.map((group) => (
        <div key={group.label} role="group" aria-label={group.label}>
          <div className={classes.group} aria-hidden>
            {group.label}
          </div>
          {group.options.map((option, index) => {
            const place = startOf(group) + index;
            return (
              <button
                type="button"
                tabIndex={-1}
                key={option.key}
                id={`${id}-${place}`}
                role="option"
                aria-selected={place === active}
                className={classes.option}
                onMouseMove={() => onPoint(place)}
                onClick={() => onChoose(option)}
              >
                {option.found ? <FoundOption found={option.found} /> : option.label}
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}
