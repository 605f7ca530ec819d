import type { Projection } from './project.ts';

type Scalar = string | number | boolean;

/**
 * One change of a history item. `from` is absent if the value is new, and `to` if it has disappeared (docs/specification.md, “Histories”).
 */
export type Change = { readonly path: string; readonly from?: Scalar; readonly to?: Scalar };

/** The changes by section, because each section has history items and scopes of its own. */
export type SectionChanges = { readonly core: readonly Change[]; readonly shipping: readonly Change[] };

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
  const before = leaves(textBefore, root);
  const after = leaves(textAfter, root);
  const changes: Change[] = [];
  for (const [path, to] of after) {
    const from = before.get(path);
    if (from === undefined) changes.push({ path, to });
    else if (from !== to) changes.push({ path, from, to });
  }
  for (const [path, from] of before) if (!after.has(path)) changes.push({ path, from });
  return changes;
}

/** Every value of a section's JSON text, by its path. */
function leaves(text: string | null | undefined, root: string): Map<string, Scalar> {
  const found = new Map<string, Scalar>();
  if (text) collect(JSON.parse(text) as unknown, root, found);
  return found;
}

function collect(value: unknown, path: string, found: Map<string, Scalar>): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => collect(item, `${path}[${index}]`, found));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) collect(inner, path ? `${path}.${key}` : key, found);
  } else {
    found.set(path, value as Scalar);
  }
}
