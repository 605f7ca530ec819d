import { healthFacts } from '../../../../server/domain/attention/findings/healthFacts.ts';

type HealthLevel = keyof typeof healthFacts;
type Count = { readonly level: HealthLevel; readonly count: number };

/** What one and what several integrations of a health do, the gravest first. */
const totalWords = {
  failing: ['failing', 'failing'],
  attention: ['needs attention', 'need attention'],
  suspended: ['suspended', 'suspended'],
  settingUp: ['setting up', 'setting up'],
  healthy: ['working', 'working'],
  new: ['new', 'new'],
  retired: ['retired', 'retired'],
} as const satisfies Readonly<Record<HealthLevel, readonly [string, string]>>;

export const isHealthLevel = (value: string): value is HealthLevel => value in healthFacts;

const levels = Object.keys(totalWords).filter(isHealthLevel);
const countOf = (counts: readonly Count[], level: HealthLevel): number => counts.find((each) => each.level === level)?.count ?? 0;

/** As in “3 failing, 2 need attention, 118 working”. */
export function healthTotalWords(counts: readonly Count[]): string {
  return levels
    .map((level) => ({ count: countOf(counts, level), words: totalWords[level] }))
    .filter(({ count }) => count > 0)
    .map(({ count, words: [one, several] }) => `${count.toLocaleString('en')} ${count === 1 ? one : several}`)
    .join(', ');
}

/** The healths that a list can be narrowed to, each with its number and with the word that its rows have. */
export function healthOptions(counts: readonly Count[], without: readonly HealthLevel[] = []) {
  return [
    { value: '', label: 'any' },
    ...levels
      .filter((level) => !without.includes(level))
      .map((level) => ({
        value: level,
        label: `${healthFacts[level].word.toLowerCase()} (${countOf(counts, level).toLocaleString('en')})`,
      })),
  ];
}
