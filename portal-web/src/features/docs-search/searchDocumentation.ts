import MiniSearch, { type SearchOptions } from 'minisearch';
import { type AskedPart, readAsked, termsOf } from './readAsked.ts';
import { comparedTerm, indexOptions, type SearchEntry } from './searchOptions.ts';

type Place = Pick<SearchEntry, 'kind' | 'page' | 'title' | 'path' | 'keys' | 'snippet'>;
export type PageHit = Omit<Place, 'keys'>;

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
  const parts = asked.map((part) => ({ scores: scoresOf({ words, places }, part), weight: part.at.length > 0 ? 2 : 1 }));
  const whole = parts.reduce((sum, { weight }) => sum + weight, 0);
  const shareOf = (ids: readonly number[]) =>
    parts.filter(({ scores }) => ids.some((id) => scores.has(id))).reduce((sum, { weight }) => sum + weight, 0) / whole;
  const scored = [...pagesOf(places).values()].flatMap((ids): Scored[] => {
    const onPage = shareOf(ids);
    return ids.flatMap((id): Scored[] => {
      const place = places.get(id);
      if (!place) return [];
      if (isNamed(place, text)) return [{ place, score: 10_000 }];
      // What is asked for may be answered in several places of one page.
      const share = (shareOf([id]) + onPage) / 2;
      const sum = parts.reduce((one, { scores }) => one + (scores.get(id) ?? 0), 0);
      return sum === 0 || share < 0.5 ? [] : [{ place, score: sum * share ** 2 }];
    });
  });
  return bestOfPages(scored)
    .slice(0, most)
    .map(({ place }) => hitOf(place));
}

const hitOf = ({ kind, page, title, path, snippet }: Place): PageHit => ({ kind, page, title, path, snippet });
const pageOf = (path: string) => path.replace(/#.*/, '');

/** The places of each page. */
function pagesOf(places: DocumentationIndex['places']): Map<string, number[]> {
  const pages = new Map<string, number[]>();
  for (const [id, { path }] of places) pages.set(pageOf(path), [...(pages.get(pageOf(path)) ?? []), id]);
  return pages;
}

/** Where to begin when nothing fits. */
const beginnings = new Set(['/docs/quickstart', '/docs/errors', '/docs/help']);

/** What is nearest to a text that nothing fits: names and titles that are spelled much alike, or else where to begin. An ID has nothing near it. */
export function nearTo({ words, places }: DocumentationIndex, text: string): PageHit[] {
  if (/^[a-z]{3,4}_[0-9a-z]*$/i.test(text)) return [];
  const found = words.search(text, { fields: ['title', 'page', 'names', 'lead'], boost, fuzzy: 0.4, maxFuzzy: 3, prefix: true });
  const scored = found.flatMap(({ id, score }) => ({ place: places.get(id as number), score }));
  const near = bestOfPages(scored.filter((each): each is Scored => each.place !== undefined));
  const first = [...places.values()].filter(({ path }) => beginnings.has(path)).map((place) => ({ place, score: 0 }));
  return (near.length > 0 ? near : first).slice(0, 3).map(({ place }) => hitOf(place));
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
  if (scores.size === 0 && own.length > 4 && !/[-_./\d]/.test(own))
    add(own, 1, { combineWith: 'AND', fuzzy: (term) => (term.length > 4 ? 0.2 : false), maxFuzzy: 2 });
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
    const page = pageOf(place.path);
    const best = pages.get(page);
    pages.set(page, best ? { ...best, score: best.score + score / 10 } : { place, score });
  }
  return [...pages.values()].toSorted((one, other) => other.score - one.score);
}
