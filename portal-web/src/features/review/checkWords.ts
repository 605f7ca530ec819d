import type { StatusTone } from '../../ui/values/statusTone.ts';
import type { Check } from './checkFragment.ts';

/** How the result of a check is shown. */
export function checkBadge({ checking, outcome, level }: Pick<Check, 'checking' | 'outcome' | 'level'>): {
  tone: StatusTone;
  word: string;
} {
  if (checking) return { tone: 'working', word: 'Checking' };
  if (outcome === 'passed') return { tone: 'good', word: 'Passed' };
  if (outcome === 'unknown') return { tone: 'neutral', word: 'Could not be checked' };
  return failures[level];
}

const failures = {
  required: { tone: 'bad', word: 'Must be fixed' },
  warning: { tone: 'waiting', word: 'Worth fixing' },
  suggestion: { tone: 'neutral', word: 'Fixing is optional' },
} as const satisfies Record<Check['level'], { tone: StatusTone; word: string }>;

const severity = ({ level }: Check): number => ['required', 'warning', 'suggestion'].indexOf(level);

type Groups = { failed: Check[]; unknown: Check[]; unvisited: Check[]; passed: Check[] };

/** The checks in groups: what to mend, the gravest first; what could not be checked; pages that were not visited yet; and what has passed. */
export function groupedChecks(checks: readonly Check[]): Groups {
  const visited = checks.filter(({ checkedAt }) => checkedAt !== null);
  const those = (wanted: Check['outcome']) => visited.filter(({ outcome }) => outcome === wanted);
  return {
    failed: those('failed').toSorted((a, b) => severity(a) - severity(b)),
    unknown: those('unknown'),
    unvisited: checks.filter(({ checkedAt }) => checkedAt === null),
    passed: those('passed'),
  };
}

/** How many checks have each badge, as in "2 passed, 1 must be fixed, 1 worth fixing, 10 could not be checked". */
export function countWords(checks: readonly Pick<Check, 'level' | 'outcome'>[]): string {
  const counted = (word: string, those: readonly unknown[]) => (those.length > 0 ? [`${those.length} ${word}`] : []);
  const failed = (level: Check['level']) => checks.filter((check) => check.outcome === 'failed' && check.level === level);
  return [
    `${checks.filter(({ outcome }) => outcome === 'passed').length} passed`,
    ...counted('must be fixed', failed('required')),
    ...counted('worth fixing', failed('warning')),
    ...counted('optional to fix', failed('suggestion')),
    ...counted(
      'could not be checked',
      checks.filter(({ outcome }) => outcome === 'unknown'),
    ),
  ].join(', ');
}

/** How much could not be checked, and what; null where each has been found out. */
export function unknownWords(checks: readonly Pick<Check, 'outcome' | 'title'>[]): { title: string; words: string } | null {
  const unknown = checks.filter(({ outcome }) => outcome === 'unknown');
  if (unknown.length === 0) return null;
  return {
    title: `${unknown.length} of ${checks.length} could not be checked`,
    words: `${unknown.map(({ title }) => title).join('; ')}.`,
  };
}

/** Those that keep the integration from being submitted. */
export function blockingChecks<Each extends Pick<Check, 'level' | 'outcome'>>(checks: readonly Each[]): Each[] {
  return checks.filter(({ level, outcome }) => level === 'required' && outcome === 'failed');
}
