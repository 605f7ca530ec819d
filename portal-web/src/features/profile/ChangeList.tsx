import type { ReactNode } from 'react';
import type { ChosenField } from '../../../../server/domain/integration/profile/profileFields.ts';
import { ValueDiff } from '../../ui/text/WordDiff.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { countryName } from '../integration/countries.ts';
import { webhookModelWords } from '../integration/webhookModelWords.ts';
import classes from './ChangeList.module.css';
import type { ProfileChange } from './profileQueries.ts';

/** The fields that differ, each with its value before and after. */
export function ChangeList({ changes }: { changes: readonly ProfileChange[] }) {
  return (
    <ul className={classes.changes}>
      {changes.map(({ field, label, before, after, consentRelevant, minor }) => (
        <li key={field} className={classes.change} aria-label={label}>
          <div className={classes.name}>
            {label}
            {consentRelevant && <StatusBadge tone="waiting">Requires consent</StatusBadge>}
            {minor && <StatusBadge tone="neutral">Minor</StatusBadge>}
          </div>
          {isProse(before) && isProse(after) ? (
            <ValueDiff before={before.join('')} after={after.join('')} />
          ) : (
            <div className={classes.sides}>
              <Side word="Before" field={field} values={before} Mark="del" others={after} />
              <Side word="After" field={field} values={after} Mark="ins" others={before} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

/** One value of several words is read as one text with its changes marked, anything else side by side. */
function isProse(values: readonly string[]): boolean {
  return values.length === 1 && /\S\s+\S+\s+\S+\s+\S/.test(values[0] ?? '');
}

type SideProps = { word: string; field: string; values: readonly string[]; others: readonly string[]; Mark: 'del' | 'ins' };

/** In a list, entries that stand on both sides are not marked. */
function Side({ word, field, values, others, Mark }: SideProps) {
  return (
    <div className={classes.side}>
      <span>{word}</span>
      {values.length === 0 && 'Nothing'}
      {values.map((value) =>
        others.includes(value) ? <div key={value}>{shown(field, value)}</div> : <Mark key={value}>{shown(field, value)}</Mark>,
      )}
    </div>
  );
}

type Shown = (value: string) => ReactNode;

/** What is typed is shown as it is. */
const shownAs: Readonly<Partial<Record<string, Shown>>> = {
  logoId: (value) => <img src={`/logos/${value}/256`} width={64} height={64} alt="The logo" />,
  country: countryName,
  webhookModel: (value) => webhookModelWords[value as keyof typeof webhookModelWords] ?? value,
  pollingCadenceMinutes: (value) => `Every ${value} minutes`,
  requestedScopes: (value) => value,
} satisfies Readonly<Record<ChosenField, Shown>>;

function shown(field: string, value: string): ReactNode {
  return (shownAs[field] ?? String)(value);
}
