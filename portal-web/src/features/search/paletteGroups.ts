import { fits, readAsked } from '../docs-search/readAsked.ts';
import type { PageHit } from '../docs-search/searchDocumentation.ts';
import type { SearchHit } from './searchQuery.ts';
import { hitKindWords, hitPath } from './searchHits.ts';
import { type PaletteAct, recentlyOpened } from './paletteActs.ts';
import { destinationsFrom } from './destinations.ts';

/** A line of the palette: something found, a page of the documentation, an act, or a page to go to. */
export type PaletteOption = { readonly key: string; readonly label: string; readonly found?: SearchHit; readonly below?: string } & (
  | { readonly to: string; readonly run?: undefined }
  | { readonly to?: undefined; readonly run: () => string | void | Promise<string | void> }
);
export type PaletteGroup = { readonly label: string; readonly options: readonly PaletteOption[] };

type Asked = {
  readonly text: string;
  readonly found: readonly SearchHit[];
  readonly pages: readonly PageHit[];
  readonly near: readonly PageHit[];
  readonly acts: readonly PaletteAct[];
  /** The page that is open, and the roles of a reader who is signed in; null for visitors. */
  readonly pathname: string;
  readonly roles: readonly string[] | null;
};

/**
 * What the palette lists. Before anything is typed: where the reader was, what can be done here, and where to go. Then the reader's own things
 * that the text names, since a name or an ID leaves no doubt, what it asks to do, and what it asks about. If nothing fits, what is nearest.
 */
export function groupsFor({ text, found, pages, near, acts, pathname, roles }: Asked): PaletteGroup[] {
  const asked = readAsked(text);
  const offered = acts
    .filter(({ label, words = '' }) => fits(`${label} ${words}`, asked))
    .map((act) => ({ key: `act ${act.label}`, ...act }));
  const places = (roles === null ? [] : destinationsFrom(pathname, roles))
    .filter(({ label }) => fits(label, asked))
    .map((place) => ({ key: `place ${place.to} ${place.label}`, ...place }));
  if (text === '')
    return shown([
      { label: 'Recent', options: recentlyOpened().map((each) => ({ key: `recent ${each.to}`, ...each })) },
      { label: 'Actions', options: offered },
      { label: 'Go to', options: places },
    ]);
  const fitting = shown([
    { label: 'Records', options: found.map(hitOption) },
    { label: 'Actions', options: [...offered, ...places.map((place) => ({ ...place, below: 'Go to this page' }))] },
    { label: 'Documentation', options: pages.map(pageOption) },
  ]);
  return fitting.length > 0 ? fitting : shown([{ label: nearLabel, options: near.map(pageOption) }]);
}

/** The group that stands where nothing fits. */
export const nearLabel = 'You may be looking for';

const shown = (groups: readonly PaletteGroup[]) => groups.filter(({ options }) => options.length > 0);

function hitOption(found: SearchHit): PaletteOption {
  const { kind, id, name, integration } = found;
  const label = `${hitKindWords[kind]} ${name ?? id}${integration && kind !== 'integration' ? `, ${integration.publicName}` : ''}`;
  return { key: `${kind} ${id}`, label, found, to: hitPath(found) };
}

function pageOption({ title, page, path, snippet }: PageHit): PaletteOption {
  const below = [page !== title && page, snippet].filter(Boolean).join(': ');
  return { key: `page ${path}`, label: title, to: path, ...(below && { below }) };
}
