import type { Found } from './findQuery.ts';
import { foundPath } from './foundPath.ts';
import { foundKindWords } from './foundWords.ts';
import { offeredActs, recentlyOpened } from './paletteActs.ts';
import { placesFrom } from './places.ts';

/** A line of the palette: something found, an act of the page, or a page to go to. */
export type PaletteOption = { readonly key: string; readonly label: string; readonly found?: Found } & (
  | { readonly to: string }
  | { readonly to?: undefined; readonly run: () => void }
);
export type PaletteGroup = { readonly label: string; readonly options: readonly PaletteOption[] };

type Asked = { readonly text: string; readonly found: readonly Found[]; readonly pathname: string; readonly roles: readonly string[] };

/** What the palette lists: hits by kind, then what the page offers, where the reader was, and the pages from here, as far as the text fits them. */
export function groupsFor({ text, found, pathname, roles }: Asked): PaletteGroup[] {
  const fits = ({ label }: { readonly label: string }) => label.toLowerCase().includes(text.toLowerCase());
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  const groups: PaletteGroup[] = [
    ...kinds.map((kind) => ({ label: foundKindWords[kind], options: found.filter((each) => each.kind === kind).map(hitOption) })),
    {
      label: 'On this page',
      options: offeredActs()
        .filter(fits)
        .map((act) => ({ key: `act ${act.label}`, ...act })),
    },
    { label: 'Recent', options: text === '' ? recentlyOpened().map((each) => ({ key: `recent ${each.to}`, ...each })) : [] },
    {
      label: 'Go to',
      options: placesFrom(pathname, roles)
        .filter(fits)
        .map((place) => ({ key: `place ${place.to} ${place.label}`, ...place })),
    },
  ];
  return groups.filter(({ options }) => options.length > 0);
}

function hitOption(found: Found): PaletteOption {
  const { kind, id, name, integration } = found;
  const label = `${foundKindWords[kind]} ${name ?? id}${integration && kind !== 'integration' ? `, ${integration.publicName}` : ''}`;
  return { key: `${kind} ${id}`, label, found, to: foundPath(found) };
}
