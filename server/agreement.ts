import { UsageError, type Outcome } from './commandArguments.ts';
import { DomainError } from './domain/shared/DomainError.ts';

/** What a command would end for good: how many things in all, and which in words. */
export type Loss = { readonly count: number; readonly words: string };
/** Is told of a loss before anything is changed, and throws if nobody has agreed to it. */
export type Agree = (loss: Loss) => void;

class Shown extends Error {
  override readonly name = 'Shown';
  readonly loss: Loss;

  constructor(loss: Loss) {
    super(loss.words);
    this.loss = loss;
  }
}

/** Takes `--count N` from the end of a command's arguments: the count that the command has shown, handed back. Throws UsageError. */
export function countOf(command: string, args: readonly string[]): readonly [rest: readonly string[], count: number | undefined] {
  const at = args.lastIndexOf('--count');
  if (at < 0) return [args, undefined];
  const [value = '', ...more] = args.slice(at + 1);
  if (!/^\d{1,9}$/.test(value) || more.length > 0) throw new UsageError(`${command} ends with --count and the number that it has shown.`);
  return [args.slice(0, at), Number(value)];
}

/**
 * Has a command that ends something for good only show it, unless the count that it shows is handed back: another count refuses, because
 * something else would go than was shown. What ends nothing is done at once. Errors: conflict.
 */
export async function onceAgreed(count: number | undefined, act: (agree: Agree) => Promise<Outcome>): Promise<Outcome> {
  const agree: Agree = (loss) => {
    if (count === loss.count || (count === undefined && loss.count === 0)) return;
    if (count === undefined) throw new Shown(loss);
    throw new DomainError('conflict', { detail: `${loss.words}\nThat is ${loss.count} in all, not ${count}. Nothing has been done.` });
  };
  try {
    return await act(agree);
  } catch (error) {
    if (!(error instanceof Shown)) throw error;
    const words = `${error.loss.words}\nNothing has been done. To do it, repeat the command with --count ${error.loss.count} at its end.`;
    return { result: String(error.loss.count), words, undone: true };
  }
}
