import { CloseButton, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './FilterChips.module.css';

/** A filter with a few values to choose from; '' is the one that narrows nothing. */
export type ChoiceChip = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
};
/** A filter that came with a link, and that the reader can only take away. */
type GivenChip = { readonly label: string; readonly words: string; readonly onRemove: () => void };

type FilterChipsProps = {
  /** What is filtered, as in "Filter the requests". */
  label: string;
  choices: readonly ChoiceChip[];
  given?: readonly GivenChip[];
  /** Takes all filters away; null if none is set. */
  onClear: (() => void) | null;
  /** What else belongs in the row, at its end. */
  children?: ReactNode;
};

/** Filters of a list in one row. Each is a native select, so that it works everywhere by keyboard and on telephones. */
export function FilterChips({ label, choices, given, onClear, children }: FilterChipsProps) {
  return (
    <div role="group" aria-label={label} className={classes.row}>
      {choices.map((choice) => (
        <Choice key={choice.label} {...choice} />
      ))}
      {given?.map(({ label: name, words, onRemove }) => (
        <span key={name} className={classes.chip} data-set>
          <span className={classes.words}>
            {name}: {words}
          </span>
          <CloseButton size="xs" aria-label={`Remove the filter ${name}`} onClick={onRemove} />
        </span>
      ))}
      {onClear && (
        <UnstyledButton className={classes.clear} onClick={onClear}>
          Clear filters
        </UnstyledButton>
      )}
      {children && <div className={classes.end}>{children}</div>}
    </div>
  );
}

function Choice({ label, value, options, onChange }: ChoiceChip) {
  const shown = options.find((option) => option.value === value) ?? options[0];
  return (
    <span className={classes.chip} data-set={value !== '' || undefined}>
      <span className={classes.words} aria-hidden>
        {label}: {shown?.label}
      </span>
      <IconChevronDown size={14} aria-hidden />
      {/* It lies over the chip, which has the width of the value that is chosen and not of the widest one. */}
      <select className={classes.select} aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  );
}
