import { useEffect } from 'react';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import type { SearchHit } from './searchQuery.ts';
import { hitKindWords, hitStatus } from './searchHits.ts';
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
                {option.found ? <HitOption found={option.found} /> : <PlainOption {...option} />}
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** A hit: what it is called, its ID, whose it is, its environment and its state. */
function HitOption({ found }: { found: SearchHit }) {
  const { kind, id, name, environment, integration } = found;
  const status = hitStatus(found);
  const below = [
    hitKindWords[kind],
    name === null ? null : kind === 'integration' ? integration?.slug : id,
    kind === 'integration' ? null : integration?.publicName,
  ];
  return (
    <span className={classes.hit}>
      <span className={classes.words}>
        <span className={name === null ? classes.id : classes.name}>{name ?? id}</span>
        <span className={classes.below}>{below.filter(Boolean).join(' · ')}</span>
      </span>
      <span className={classes.marks}>
        {environment && <EnvironmentTag environment={environment} />}
        {status && <StatusBadge tone={status.tone}>{status.word}</StatusBadge>}
      </span>
    </span>
  );
}

/** An act or a page, and what it belongs to. */
function PlainOption({ label, below }: PaletteOption) {
  return (
    <span className={classes.words}>
      <span>{label}</span>
      {below && <span className={classes.below}>{below}</span>}
    </span>
  );
}
