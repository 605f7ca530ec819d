import type { FieldRow } from '../../../features/reference/referenceTypes.ts';

/** A field, called as its object calls it, with the fields that it has itself. */
export type FieldNode = FieldRow & { readonly id: string; readonly children: readonly FieldNode[] };

/** Fields in their order, each below the one whose path its own begins with. Their anchors begin with `anchors`. */
export function fieldTree(rows: readonly FieldRow[], anchors: string, above = ''): FieldNode[] {
  const here = rows.filter(({ name }) => name.startsWith(above) && !name.slice(above.length).includes('.'));
  return here.map((row) => {
    const inside = rows.find(({ name }) => name.startsWith(`${row.name}.`) || name.startsWith(`${row.name}[].`));
    const below = inside && `${row.name}${inside.name.startsWith(`${row.name}.`) ? '.' : '[].'}`;
    return {
      ...row,
      name: row.name.slice(above.length),
      id: `${anchors}.${row.name.replaceAll('[]', '')}`,
      children: below === undefined ? [] : fieldTree(rows, anchors, below),
    };
  });
}
