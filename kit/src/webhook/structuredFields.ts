/** A member of a dictionary (RFC 9651). Values are kept as the text that was sent. */
export type Member = {
  /** All of it behind the equals sign: of Signature-Input, this is what was signed. */
  readonly text: string;
  /** Without the parameters. */
  readonly value: string;
  /** Of an inner list: each with its own parameters. */
  readonly items: readonly string[] | undefined;
  readonly parameters: ReadonlyMap<string, string>;
};

/** String, bytes, boolean, number or date, display string, token. */
const bareItem =
  /^(?:"(?:[ !#-[\]-~]|\\["\\])*"|:[A-Za-z0-9+/]*={0,2}:|\?[01]|@-?\d{1,15}|-?(?:\d{1,12}\.\d{1,3}|\d{1,15})|%"(?:[ !#$&-~]|%[0-9a-f]{2})*"|[A-Za-z*][!#$%&'*+.^_`|~\w:/-]*)/;

/** The members of a dictionary, in every form that they may have; null if it is not well formed. */
export function dictionary(field: string): ReadonlyMap<string, Member> | null {
  try {
    return parseDictionary(field);
  } catch {
    return null;
  }
}

/** A member that is a byte sequence, if it is there. */
export function byteSequence(field: string, label: string): Buffer | undefined {
  const value = dictionary(field)?.get(label)?.value;
  return value?.startsWith(':') ? Buffer.from(value.slice(1, -1), 'base64') : undefined;
}

function parseDictionary(field: string): ReadonlyMap<string, Member> {
  let rest = field;
  const take = (pattern: RegExp): string => {
    const [found] = pattern.exec(rest) ?? [];
    if (found === undefined) throw new SyntaxError(field);
    rest = rest.slice(found.length);
    return found;
  };
  const since = (start: string): string => start.slice(0, start.length - rest.length);
  const key = (): string => take(/^[a-z*][a-z0-9_.*-]*/);
  const parameters = (): Map<string, string> => {
    const found = new Map<string, string>();
    while (rest.startsWith(';')) {
      take(/^; */);
      const name = key();
      const given = rest.startsWith('=') && take(/^=/) !== '';
      found.set(name, given ? take(bareItem) : '?1');
    }
    return found;
  };
  const innerList = (): string[] => {
    const items: string[] = [];
    take(/^\( */);
    while (!rest.startsWith(')')) {
      const start = rest;
      take(bareItem);
      parameters();
      items.push(since(start));
      if (!rest.startsWith(')')) take(/^ +/);
    }
    take(/^\)/);
    return items;
  };
  const members = new Map<string, Member>();
  for (;;) {
    const label = key();
    // A field may repeat one, and its last counts. Ours never does, so a repetition is not ours.
    if (members.has(label)) throw new SyntaxError(field);
    let start = rest;
    let value = '?1'; // without a value, it is true
    let items: string[] | undefined;
    if (rest.startsWith('=')) {
      take(/^=/);
      start = rest;
      if (rest.startsWith('(')) items = innerList();
      else take(bareItem);
      value = since(start);
    }
    members.set(label, { value, items, parameters: parameters(), text: since(start) });
    if (/^[ \t]*$/.test(rest)) return members;
    take(/^[ \t]*,[ \t]*/);
  }
}
