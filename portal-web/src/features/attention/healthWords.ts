import { healthFacts } from '../../../../server/domain/attention/findings/healthFacts.ts';
import { pressingWithin } from '../../../../server/domain/notification/words/attentionKinds.ts';
import { capital, inSentence } from '../../../../server/domain/shared/text/firstLetter.ts';
import type { StatusTone } from '../../ui/values/statusTone.ts';
import type { Health } from './healthFragment.ts';

type Signal = Health['signals'][number];

/** Those of its signals. One that is quiet is neither good nor bad. */
export const signalTones = {
  quiet: 'neutral',
  settingUp: 'underWay',
  healthy: 'good',
  attention: 'waiting',
  failing: 'bad',
} as const satisfies Record<Signal['level'], StatusTone>;

/** Whether it fails, or is due so soon that it stands above what fails. */
export function isPressing({ level, deadline }: PressingFacts, now: Date): boolean {
  if (level === 'quiet' || level === 'healthy') return false;
  return level === 'failing' || (deadline !== null && Date.parse(deadline) - now.getTime() <= pressingWithin);
}

type PressingFacts = { readonly level: keyof typeof signalTones; readonly deadline: string | null };

/** What each signal is about. */
export const signalWords = {
  data: 'Data',
  errors: 'Requests',
  certificate: 'Certificate',
  deletions: 'Deletions',
  webhooks: 'Webhooks',
  quota: 'Quota',
} as const satisfies Record<Signal['signal'], string>;

/** What has been found out about a signal, with its figure. */
export function findingWords({ word, figure }: Pick<Signal, 'word' | 'figure'>): string {
  return figure === null ? word : `${word}, ${figure}`;
}

/** Its state in a word, for those who cannot see its icon; null where nothing needs the owner. */
export function stateWord({ level }: Pick<Signal, 'level'>): string | null {
  return level === 'quiet' || level === 'healthy' ? null : healthFacts[level].word;
}

/** What needs the owner most, and how much more does, where all of it is listed elsewhere. */
export function toDoWords(worst: string, needs: number): string {
  return withMore(capital(worst), ', and ', needs);
}

function withMore(words: string, joint: string, needs: number): string {
  return needs > 1 ? `${words}${joint}${(needs - 1).toLocaleString('en')} more to do` : words;
}

/** What is told of an environment in its line: how it is, why, and what can be done, the most pressing first. */
export type Told = {
  readonly level: Health['level'];
  readonly words: string;
  readonly acts: readonly Health['acts'][number][];
  /** How many more things there are to do elsewhere, which these words do not name. */
  readonly more?: number;
};

/** On the overview, which lists below what needs the owner if `listed`, and tells the `next` step in these words, if any. */
export function toldOnOverview({ level, sentence, acts, needs }: Health, { listed, next }: { listed: boolean; next: string | null }): Told {
  const [worst] = acts;
  if (level === 'settingUp' && next !== null && withoutEnvironment(sentence) === `${next}.`) {
    return { level, words: 'No data flows yet.', acts: [] };
  }
  if (!listed || !worst) return { level, words: withoutEnvironment(sentence), acts };
  // Its badge and what is listed both say that it is stopped.
  const stop = worst.about === inSentence(healthFacts[level].word) ? stops[level] : null;
  return { level, words: `${stop ? withMore(stop.words.slice(0, -1), '; ', needs) : toDoWords(worst.about, needs)}.`, acts: [] };
}

type Stop = {
  /** What it means, where its badge says the rest. */
  readonly words: string;
  /** Whether the tab of the steps to production says all of it. */
  readonly isOnSteps: boolean;
  /** What its row among the integrations adds to the badge. */
  readonly inRow: string | null;
};
/** Null where it is not stopped. */
const stops: Readonly<Record<Health['level'], Stop | null>> = {
  new: null,
  settingUp: null,
  healthy: null,
  attention: null,
  failing: null,
  suspended: {
    words: 'No data flows.',
    isOnSteps: true,
    inRow: 'Every call is refused (403), and events are held, apart from revocations.',
  },
  retired: { words: 'Every call is refused.', isOnSteps: false, inRow: null },
};

/** Of what is stopped, what its badge leaves open beside the others; null where that is nothing. */
export const stopInRow = (level: Health['level']): string | null => stops[level]?.inRow ?? null;

type OnTab = {
  /** Whether the tab is where something is done about it: then the tab says it itself. */
  readonly isHere: (act: Pick<Health['acts'][number], 'page' | 'environment' | 'objectId'>) => boolean;
  /** Whether it shows the steps to production, which say what is ahead, and why there is none. */
  readonly steps: boolean;
};

/** On another tab: what the tab does not say itself, after a word that it says something; null where nothing is elsewhere. */
export function toldOnTab({ level, sentence, acts, unnamed, signals }: Health, { isHere, steps }: OnTab): Told | null {
  const stop = stops[level];
  if (level === 'new' || level === 'healthy' || (steps && (level === 'settingUp' || stop?.isOnSteps))) return null;
  const elsewhere = acts.filter((act) => !isHere(act));
  const [worst] = elsewhere;
  if (stop && !steps) return { level, words: elsewhere.length < acts.length ? stop.words : withoutEnvironment(sentence), acts: elsewhere };
  if (!worst) return stop || acts.length > 0 ? null : { level, words: withoutEnvironment(sentence), acts };
  if (level === 'settingUp') return { level, words: withoutEnvironment(sentence), acts: elsewhere };
  const isTab = (page: Health['acts'][number]['page']) => isHere({ page, environment: null, objectId: null });
  const isNeededHere = (each: Signal): each is Needed => isTab(each.page) && isNeeded(each);
  // What the sentence leaves out may be here, too: then the signal that leads here says how grave it is.
  const isAlsoHere = unnamed.some(isTab);
  const here = acts.find(isHere) ?? (isAlsoHere ? signals.find(isNeededHere) : undefined);
  const failing = elsewhere.find((each) => each.level === 'failing');
  const more = unnamed.filter((page) => !isTab(page)).length;
  return {
    level: stop ? level : (here ?? failing ?? worst).level,
    words: `${here || isAlsoHere ? 'See below. ' : ''}Elsewhere: ${elsewhere.map(({ about }) => about).join('; ')}.`,
    acts: elsewhere,
    ...(more > 0 && { more }),
  };
}

type Needed = Signal & { readonly level: Health['acts'][number]['level'] };

function isNeeded(signal: Signal): signal is Needed {
  return signal.level !== 'quiet' && signal.level !== 'healthy';
}

/** The tag in front names it. */
function withoutEnvironment(sentence: string): string {
  return capital(sentence.slice(sentence.indexOf(': ') + 2));
}
