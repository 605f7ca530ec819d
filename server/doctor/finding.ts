import type { Config, ProcessRole } from '../config/config.ts';
import type { Clock } from '../domain/shared/clock.ts';

/** Something about an installation that keeps it from working, or that somebody should look at, and what to do about it. */
export type Finding = {
  readonly severity: 'wrong' | 'warning';
  readonly words: string;
  readonly remedy: string;
};

/** What is looked at: the settings of one kind of process, and the clock. */
export type Place = { readonly config: Config; readonly role: ProcessRole; readonly clock: Clock };

/** What a look has found, or why it could not look now. */
export type Look = readonly Finding[] | { readonly skipped: string };

export function wrong(words: string, remedy: string): Finding {
  return { severity: 'wrong', words, remedy };
}

export function warning(words: string, remedy: string): Finding {
  return { severity: 'warning', words, remedy };
}

/** Takes a refusal apart that says what is wrong in its first sentence, and after that what to do. */
export function wrongBy(error: unknown, remedy: string): Finding {
  const message = error instanceof Error ? error.message : String(error);
  const [, words = message, own = ''] = /^(.*?[.])\s+(.*)$/s.exec(message) ?? [];
  return wrong(words, own || remedy);
}
