/** The purposes of keys whose work ends some time: these can be removed (docs/specification.md, “Keys at rest”). */
export const endingPurposes = ['session', 'verification_link'] as const;

/** The keys of one purpose of the key ring (docs/specification.md, “Keys at rest”). They change while a process runs, so nobody keeps a copy. */
export type KeySet = {
  /** The key of everything that is made at this moment. */
  readonly current: Buffer;
  /** Every key under which something may still be read, the current one first. */
  readonly readable: readonly Buffer[];
};

/** The keys of lookups. Codes are looked up under all of them; users and orders are named under the first, for ever. */
export type LookupKeys = KeySet & { readonly first: Buffer };

/** A set of one key that never changes, for programs without a key ring of their own. */
export function soleKey(key: Buffer): LookupKeys {
  return { current: key, readable: [key], first: key };
}

/** The same set with a key derived from each key, derived once. */
export function derivedKeys(keys: KeySet, derive: (key: Buffer) => Buffer): KeySet {
  const derived = new WeakMap<Buffer, Buffer>();
  const of = (key: Buffer): Buffer => {
    const known = derived.get(key) ?? derive(key);
    derived.set(key, known);
    return known;
  };
  return {
    get current() {
      return of(keys.current);
    },
    get readable() {
      return keys.readable.map(of);
    },
  };
}
