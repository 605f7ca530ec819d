import MiniSearch, { type SearchOptions } from 'minisearch';
import { type AskedPart, readAsked, termsOf } from './readAsked.ts';
import { comparedTerm, indexOptions, type SearchEntry } from './searchOptions.ts';

type Place = Pick<SearchEntry, 'kind' | 'page' | 'title' | 'path' | 'keys'>;
export type PageHit = Pick<Place, 'kind' | 'page' | 'title' | 'path'>;

/** The index that was made at build time, ready to be asked, and every place in it. */
export type DocumentationIndex = { readonly words: MiniSearch<SearchEntry>; readonly places: ReadonlyMap<number, Place> };

export function readSearchIndex(index: object): DocumentationIndex {
  const words = MiniSearch.loadJS(index as Parameters<typeof MiniSearch.loadJS>[0], indexOptions);
  const all = words.search(MiniSearch.wildcard) as unknown as (Place & { readonly id: number })[];
  return { words, places: new Map(all.map((place) => [place.id, place])) };
}

const boost = { title: 5, names: 2.5, page: 2.5, lead: 2.5 };

/** What explains comes before what is listed, and both before what only names a thing. */
const weights: Readonly<Record<SearchEntry['kind'], number>> = { guide: 1.2, operation: 1, event: 0.8, problem: 0.6, aside: 0.5 };

type Scored = { readonly place: Place; readonly score: number };

/** The pages that fit best, best first, each with the place on it that fits best. */
export function searchDocumentation({ words, places }: DocumentationIndex, text: string, most = 8): PageHit[] {
  const asked = readAsked(text);
  const found = asked.map((part) => scoresOf({ words, places }, part));
  const scored = [...places].flatMap(([id, place]): Scored[] => {
    if (isNamed(place, text)) return [{ place, score: 10_000 }];
    const scores = found.flatMap((scoresById) => scoresById.get(id) ?? []);
    const share = scores.length / asked.length;
    if (scores.length === 0 || share < 0.5) return [];
    const sum = scores.reduce((one, other) => one + other, 0);
    return [{ place, score: sum * share ** 2 }];
  });
  return bestOfPages(scored)
    .slice(0, most)
    .map(({ place: { kind, page, title, path } }) => ({ kind, page, title, path }));
}

/** What is nearest to a text that nothing fits: names and titles that are spelled much alike. */
export function nearTo({ words, places }: DocumentationIndex, text: string): PageHit[] {
  const found = words.search(text, { fields: ['title', 'page', 'names', 'lead'], boost, fuzzy: 0.4, maxFuzzy: 3, prefix: true });
  const scored = found.flatMap(({ id, score }) => ({ place: places.get(id as number), score }));
  return bestOfPages(scored.filter((each): each is Scored => each.place !== undefined))
    .slice(0, 3)
    .map(({ place: { kind, page, title, path } }) => ({ kind, page, title, path }));
}

/** How much a phrase counts as the reader wrote it if the table of synonyms has other words for it. */
const ownOfSynonym = 0.4;

/** How well each place fits one part of what is asked: as it is spelled or is called here, or else perhaps misspelled. */
function scoresOf({ words, places }: DocumentationIndex, { own, ours, at, isLast }: AskedPart): Map<number, number> {
  const scores = new Map<number, number>();
  const terms = new Set([own, ...ours].flatMap(termsOf));
  const isStatus = /^[45]\d\d$/.test(own);
  const add = (text: string, weight: number, options: SearchOptions) => {
    const query = text.split(' ').filter((word) => comparedTerm(word) !== null);
    for (const { id, score } of words.search({ queries: query, boost, ...options })) {
      const place = places.get(id as number);
      if (!place) continue;
      const here = score * weight * (isStatus && place.kind === 'problem' ? 3 : weights[place.kind]) * titleWeight(place, terms);
      scores.set(id as number, Math.max(scores.get(id as number) ?? 0, here));
    }
  };
  add(own, ours.length > 0 ? ownOfSynonym : 1, { combineWith: 'AND', prefix: isLast });
  for (const each of ours) add(each, 1, { combineWith: 'AND' });
  // In names, another letter is another name.
  if (scores.size === 0 && own.length > 4 && !/[-_./\d]/.test(own)) add(own, 1, { fuzzy: 0.2, maxFuzzy: 2 });
  const best = Math.max(10, ...scores.values());
  for (const [id, { path }] of places) if (at.includes(path)) scores.set(id, best * 1.2);
  return scores;
}

/** More for a title that has what is asked, and little beside it. */
function titleWeight({ title, page }: Place, asked: ReadonlySet<string>): number {
  const share = (text: string) => {
    const terms = termsOf(text);
    return terms.length === 0 ? 0 : terms.filter((term) => asked.has(term)).length / terms.length;
  };
  return 1 + share(title) + share(page) / 2;
}

/** Whether the text has one of the names of this place, such as its code, or its path with anything in the places of its values. */
function isNamed({ keys }: Place, text: string): boolean {
  return keys.some((key) => {
    const pattern = key.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, String.raw`[^/\s]+`);
    return new RegExp(String.raw`(?<![\w/.-])${pattern}/?(?![\w/.-])`, 'i').test(text);
  });
}

/** One place of each page. A page of which several places fit is more likely to be the right one. */
function bestOfPages(scored: readonly Scored[]): Scored[] {
  const pages = new Map<string, Scored>();
  for (const { place, score } of scored.toSorted((one, other) => other.score - one.score)) {
    const page = place.path.replace(/#.*/, '');
    const best = pages.get(page);
    pages.set(page, best ? { ...best, score: best.score + score / 10 } : { place, score });
  }
  return [...pages.values()].toSorted((one, other) => other.score - one.score);
}
