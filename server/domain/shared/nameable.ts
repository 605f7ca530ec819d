/** A field's name, unless the name itself could be something that must not be repeated: a map may have numbers or addresses as its keys. */
export function nameable(name: string): string {
  return /^[a-z_][a-z0-9_-]{0,39}$/i.test(name) && (name.match(/\d/g) ?? []).length < 5 ? name : '(unnamed)';
}
