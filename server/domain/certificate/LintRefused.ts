type Linted = 'certificate' | 'revocation list';

/**
 * Thrown instead of signing: what was about to be signed is not what was asked for. It is a fault of the service, never of a caller. The words
 * name the broken rules and nothing else, because they reach the log.
 */
export class LintRefused extends Error {
  override readonly name = 'LintRefused';
  readonly code = 'LINT_REFUSED';

  constructor(what: Linted, rules: readonly string[]) {
    super(`The ${what} was not signed, because these rules are broken: ${rules.join(', ')}.`);
  }
}

/** Throws `LintRefused` with the names of the rules that do not hold. What cannot be read breaks a rule. */
export function lint<Parts>(what: Linted, read: () => Parts, rules: Readonly<Record<string, (parts: Parts) => boolean>>): void {
  const parts = attempt(read);
  if (parts === undefined) throw new LintRefused(what, ['encoding']);
  const broken = Object.entries(rules).flatMap(([rule, holds]) => (attempt(() => holds(parts)) === true ? [] : [rule]));
  if (broken.length > 0) throw new LintRefused(what, broken);
}

function attempt<Value>(step: () => Value): Value | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}
