import type { Projection } from './project.ts';

type Scalar = string | number | boolean;

/**
 * One change of a history item. `from` is absent if the value is new, and `to` if it has disappeared (docs/specification.md, “Histories”).
 */
export type Change = { readonly path: string; readonly from?: Scalar; readonly to?: Scalar };

/** The changes by section, because each section has history items and scopes of its own. */
type SectionChanges = { readonly core: readonly Change[]; readonly shipping: readonly Change[] };

/**
 * What turned one projection into the next (null if the resource is new), value by value, with paths such as `option_codes[0]`,
 * `production.started_on` or `shipping.events[2].at`. Applied to the first projection in any order, the changes give the second.
 */
export function diff(before: Projection | null, after: Projection): SectionChanges {
  return {
    core: compare(before?.core, after.core, ''),
    shipping: compare(before?.shipping, after.shipping, 'shipping'),
  };
}

function compare(textBefore: string | null | undefined, textAfter: string | null, root: string): Change[] {
  if (textBefore === textAfter) return [];
  const before = textBefore ? (JSON.parse(textBefore) as unknown) : undefined;
  const after = textAfter ? (JSON.parse(textAfter) as unknown) : undefined;
  const changes: Change[] = [];
  eachLeaf(after, before, root, (path, to, from) => {
    if (from === undefined) changes.push({ path, to });
    else if (from !== to) changes.push({ path, from, to });
  });
  eachLeaf(before, after, root, (path, from, to) => {
    if (to === undefined) changes.push({ path, from });
  });
  return changes;
}

/** Visits every value of a section with its path, and with the value that the other section has there, if any. */
function eachLeaf(value: unknown, other: unknown, path: string, visit: (path: string, leaf: Scalar, there?: Scalar) => void): void {
  if (value === undefined) return;
  if (!isTree(value)) {
    visit(path, value as Scalar, isTree(other) ? undefined : (other as Scalar | undefined));
    return;
  }
  const isList = Array.isArray(value);
  const counterpart = isTree(other) && Array.isArray(other) === isList ? other : undefined;
  for (const [key, inner] of Object.entries(value)) {
    const name = isList ? `[${key}]` : path ? `.${key}` : key;
    eachLeaf(inner, counterpart?.[key], path + name, visit);
  }
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
