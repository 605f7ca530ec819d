/** A field's name, unless it could itself be what must not be repeated: a map may be keyed by a number or an address. */
export function nameable(name: string): string {
  return /^[a-z_][a-z0-9_-]{0,39}$/i.test(name) && (name.match(/\d/g) ?? []).length < 5 ? name : '(unnamed)';
}
