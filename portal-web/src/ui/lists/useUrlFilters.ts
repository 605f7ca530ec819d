import { useLocation, useSearchParams } from 'react-router';
import { filterNavigation } from './filterNavigation.ts';

type Filters<Name extends string> = Readonly<Record<Name | 'after', string>>;

/**
 * Filters of a list that stand in the address, so that it can be kept and sent; '' where one is not set. Whatever narrows the list
 * leads back to its first page. Nothing personal belongs here: addresses end in histories and logs. What else is in
 * the address, or kept out of it by `useSearch`, stays as it is.
 */
export function useUrlFilters<Name extends string>(names: readonly Name[]): [Filters<Name>, (changes: Partial<Filters<Name>>) => void] {
  const [search, setSearch] = useSearchParams();
  const { search: searched } = (useLocation().state ?? {}) as { search?: string };
  const read = (name: string) => [name, search.get(name) ?? ''] as const;
  const filters = Object.fromEntries([...names, 'after'].map(read)) as Filters<Name>;
  const change = (changes: Partial<Filters<Name>>) => {
    const own = Object.entries({ ...filters, after: '', ...changes }) as [string, string][];
    const others = [...search].filter(([name]) => !(name in filters));
    setSearch(
      [...others, ...own].filter(([, value]) => value !== ''),
      // A page further back is a step that the reader can take back; a letter in a field is not.
      {
        ...filterNavigation,
        replace: !changes.after,
        preventScrollReset: !changes.after,
        state: searched === undefined ? null : { search: searched },
      },
    );
  };
  return [filters, change];
}
