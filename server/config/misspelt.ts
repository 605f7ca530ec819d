import { nearest } from './nearest.ts';

/** Shorter names are within two letters of what other programs read: HOST of PGHOST. */
const shortest = 8;

/** For each variable that nobody reads but that nearly has the name of one of ours, a line that says which. */
export function misspelt(given: readonly string[], known: readonly string[]): string[] {
  const ours = new Set(known);
  const long = known.filter((name) => name.length >= shortest);
  return given.flatMap((name) => {
    if (ours.has(name)) return [];
    const meant = nearest(name.toUpperCase(), long);
    return meant === undefined ? [] : [`${name}: is not a variable of the service; is ${meant} meant?`];
  });
}
