/** A name as it stands in code: a problem code, a header, a parameter, a scope, an operation, an event. */
const name = /[a-z0-9]+(?:[-_./][a-z0-9]+)*/gi;

/**
 * The terms of a text. A name counts whole and by its parts, so that both `link_code_not_redeemable` and “redeemable” find it, and so does
 * each word of `getOrderHistory`.
 */
export function searchTerms(text: string): string[] {
  return [...text.matchAll(name)].flatMap(([whole]) => {
    const parts = whole.split(/[-_./]|(?<=[a-z])(?=[A-Z])/);
    return parts.length === 1 ? [whole] : [whole, ...parts];
  });
}

/**
 * How a term is compared: without case, and words by their stems, since “revoke”, “revoking” and “revoked” ask for the same. Words that
 * stand everywhere are not compared.
 */
export function comparedTerm(term: string): string | null {
  const lower = term.toLowerCase();
  if (commonWords.has(lower)) return null;
  return /^[a-z]{5,}$/.test(lower) ? stemOf(lower) : lower;
}

/** Rough, and the same for what is searched and for what is asked. */
function stemOf(word: string): string {
  return word.replace(/(?<=[a-z]{4})(?:ements?|ions?|als?|ings?|ed|es|s|e)$/, '').replace(/([^aeiouls])\1$/, '$1');
}

const commonWords = new Set(
  'a an and are as at be by can do does for from get has have how i if in is it its me my not of on or that the then this to was what when where which who why will with you your'.split(
    ' ',
  ),
);
