const cardinals =
  'no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh'.split(' ');
const units = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 };
const sizes = { KiB: 1_024, MiB: 1_024 * 1_024 };

/** A single one: a week. */
const oneOf = (unit: string) => `${unit === 'hour' ? 'an' : 'a'} ${unit}`;

const digits = (value: number) => [
  ...new Set([String(value), value.toLocaleString('en'), value.toLocaleString('en').replaceAll(',', '_')]),
];
const written = (value: number) => [...digits(value), ...(cardinals[value] === undefined ? [] : [cardinals[value]])];

/**
 * How sentences may tell a value of a limit: as a number or a word (2, two, and a third one, which is one too many), and what is as many
 * milliseconds or bytes as a whole number of a unit also with the unit.
 */
export function numbersToldAs(value: number): { readonly bare: readonly string[]; readonly withUnit: readonly string[] } {
  const above = Number.isInteger(value) ? ordinals[value] : undefined;
  const spans = Object.entries(units).filter(([, length]) => value >= length && value % length === 0);
  const amounts = Object.entries(sizes).filter(([, size]) => value >= size && value % size === 0);
  return {
    bare: [...new Set([...written(value), ...(above === undefined || value < 2 ? [] : [above])])],
    withUnit: [
      ...spans.flatMap(([unit, length]) => written(value / length).map((number) => `${number}[ -]${unit}s?`)),
      ...spans.filter(([, length]) => value === length).map(([unit]) => oneOf(unit)),
      ...amounts.flatMap(([unit, size]) => digits(value / size).map((number) => `${number} ${unit}`)),
    ],
  };
}
