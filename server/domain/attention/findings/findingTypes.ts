import type { Environment } from '../../shared/environment.ts';
import type { AttentionItem } from '../../notification/words/AttentionItem.ts';
import type { Act, ActPage, AttentionLevel } from '../../notification/words/attentionKinds.ts';
import { namesOf } from '../../shared/lifecycle.ts';
import { healthFacts } from './healthFacts.ts';

/** What a health is made of. */
export const signals = ['data', 'errors', 'certificate', 'deletions', 'webhooks', 'quota'] as const;
export type Signal = (typeof signals)[number];
/** `quiet`: nothing is known or expected, which is neither good nor bad. `settingUp`: a step that is still to be taken. */
export const signalLevels = ['quiet', 'settingUp', 'healthy', 'attention', 'failing'] as const;
export type SignalLevel = (typeof signalLevels)[number];
export const healthLevels = namesOf(healthFacts);
export type HealthLevel = keyof typeof healthFacts;

/** What has been found out about one signal, and what has to be done about it, if anything. */
export type Finding = {
  readonly signal: Signal;
  readonly level: SignalLevel;
  readonly word: string;
  readonly figure: string | null;
  /** Until when it has to be dealt with, where that is known. */
  readonly deadline?: Date | null;
  readonly page: ActPage;
  readonly needs: readonly AttentionItem[];
};

/** What can be done about one thing that the sentence names, in the words in which it names it. */
type NamedAct = Act & { readonly about: string; readonly level: AttentionLevel };

/** How an integration is in one environment. */
export type Health = {
  readonly environment: Environment;
  readonly level: HealthLevel;
  readonly word: string;
  /** The answer to “does data flow, and if not, why?” in one sentence. */
  readonly sentence: string;
  /** What can be done about what the sentence names, the most pressing first. */
  readonly acts: readonly NamedAct[];
  /** The tabs on which something can be done about each thing that the sentence does not name. */
  readonly unnamed: readonly ActPage[];
  /** How many things need the owner in it. */
  readonly needs: number;
  /** When each of its certificates ends; where none works, when the last one did. */
  readonly certificateEnds: readonly Date[];
  readonly asOf: Date;
  readonly signals: readonly Omit<Finding, 'needs'>[];
};
