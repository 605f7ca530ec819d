import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import type { Found } from './findQuery.ts';
import { foundStatus } from './foundWords.ts';
import classes from './Palette.module.css';

/** A hit: what it is called, its ID, whose it is, its environment and its state. */
export function FoundOption({ found }: { found: Found }) {
  const { kind, id, name, environment, integration } = found;
  const status = foundStatus(found);
  const below = [
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
