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

const key = '[a-z*][a-z0-9_.*-]*';
/** String, bytes, boolean, number or date, display string, token. */
const bareItem =
  /(?:"(?:[ !#-[\]-~]|\\["\\])*"|:[A-Za-z0-9+/]*={0,2}:|\?[01]|@-?\d{1,15}|-?(?:\d{1,12}\.\d{1,3}|\d{1,15})|%"(?:[ !#$&-~]|%[0-9a-f]{2})*"|[A-Za-z*][!#$%&'*+.^_`|~\w:/-]*)/
    .source;
const parameter = `; *(${key})(?:=(${bareItem}))?`;
const item = `${bareItem}(?:; *${key}(?:=${bareItem})?)*`;
const innerList = `\\( *(?:${item}(?: +${item})* *)?\\)`;
const member = `(${key})(?:=(${innerList}|${bareItem}))?((?:; *${key}(?:=${bareItem})?)*)[ \\t]*(,[ \\t]*|$)`;

/** The members of a dictionary, in every form that they may have; null if it is not well formed. */
export function dictionary(field: string): ReadonlyMap<string, Member> | null {
  const members = new Map<string, Member>();
  const next = new RegExp(member, 'y');
  for (;;) {
    const [found, label = '', value, given = '', end] = next.exec(field) ?? [];
    // A field may repeat one, and its last counts. Ours never does, so a repetition is not ours.
    if (found === undefined || members.has(label)) return null;
    const items = value?.startsWith('(') ? (value.slice(1, -1).match(new RegExp(item, 'g')) ?? []) : undefined;
    const parameters = new Map(Array.from(given.matchAll(new RegExp(parameter, 'g')), ([, name = '', set = '?1']) => [name, set] as const));
    // Without a value, it is true.
    members.set(label, { text: `${value ?? ''}${given}`, value: value ?? '?1', items, parameters });
    if (end === '') return members;
  }
}

/** A member that is a byte sequence, if it is there. */
export function byteSequence(field: string, label: string): Buffer | undefined {
  const value = dictionary(field)?.get(label)?.value;
  return value?.startsWith(':') ? Buffer.from(value.slice(1, -1), 'base64') : undefined;
}
