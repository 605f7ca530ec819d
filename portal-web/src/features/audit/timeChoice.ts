import type { ChoiceChip } from '../../ui/lists/FilterChips.tsx';
import { timeRanges } from './timeRanges.ts';

/** The times that a list may show: a named range, or from one day to another (`DayFields`). */
type TimeFilters = { readonly time: string; readonly from: string; readonly to: string };

type TimeChoice = {
  time: string;
  onChange: (changes: TimeFilters) => void;
  /** How far back the list goes anyway, in days and in words. */
  kept?: { readonly days: string; readonly words: string };
};

/** The time of the entries as a chip. */
export function timeChoice({ time, onChange, kept }: TimeChoice): ChoiceChip {
  return {
    label: 'Time',
    value: time,
    options: timeRanges
      .filter(({ value }) => value !== kept?.days)
      .map(({ value, label }) => ({ value, label: value === '' && kept ? kept.words : label.toLowerCase() })),
    onChange: (value) => onChange({ time: value, from: '', to: '' }),
  };
}
