/** A node of PostgreSQL's parse trees as the catalogue has them (`pg_node_tree`). */
export type TreeNode = { readonly tag: string; readonly fields: Readonly<Record<string, TreeValue>> };
export type TreeValue = TreeNode | string | readonly TreeValue[];

/** Reads the text of a `pg_node_tree`: `{TAG :field value …}`, lists in parentheses, and tokens. */
export function readTree(text: string): TreeValue {
  const tokens = text.match(/[(){}]|(?:\\[\s\S]|[^\s(){}\\])+/g) ?? [];
  let at = 0;
  const value = (): TreeValue => {
    const token = tokens[at++];
    if (token === '{') return node();
    if (token === '(') {
      const members: TreeValue[] = [];
      while (tokens[at] !== ')') members.push(value());
      at += 1;
      return members;
    }
    return (token ?? '').replaceAll(/\\([\s\S])/g, '$1');
  };
  const node = (): TreeNode => {
    const tag = tokens[at++] ?? '';
    const fields: Record<string, TreeValue> = {};
    while (tokens[at] !== '}') {
      const name = (tokens[at++] ?? '').slice(1);
      const values: TreeValue[] = [];
      while (tokens[at] !== '}' && !tokens[at]?.startsWith(':')) values.push(value());
      fields[name] = values.length === 1 && values[0] !== undefined ? values[0] : values;
    }
    at += 1;
    return { tag, fields };
  };
  return value();
}

/** A field's node, or undefined if it has none. */
export function nodeIn(node: TreeNode, field: string): TreeNode | undefined {
  return asNode(node.fields[field]);
}

export function asNode(value: TreeValue | undefined): TreeNode | undefined {
  return typeof value === 'object' && 'tag' in value ? value : undefined;
}

/** The nodes of a field's list. */
export function nodesIn(node: TreeNode, field: string): TreeNode[] {
  const value = node.fields[field];
  return Array.isArray(value) ? value.flatMap((each: TreeValue) => asNode(each) ?? []) : [];
}

/** A field's text or number. */
export function textIn(node: TreeNode, field: string): string {
  const value = node.fields[field];
  return typeof value === 'string' ? value : '';
}

/** The numbers of a field's set, as `(b 1 2)`. */
export function setIn(node: TreeNode, field: string): number[] {
  const value = node.fields[field];
  return Array.isArray(value) ? value.slice(1).map(Number) : [];
}
