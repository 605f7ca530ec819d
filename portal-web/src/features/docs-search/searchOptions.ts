import type { Options, SearchOptions } from 'minisearch';
import { comparedTerm, searchTerms } from './searchTerms.ts';

/** A place in the documentation that a search finds. */
export type SearchEntry = {
  readonly id: number;
  /** The page, and the section of it unless it is the page as a whole. */
  readonly page: string;
  readonly title: string;
  readonly path: string;
  /** Names that lead here: codes, headers, parameters, paths. */
  readonly names: string;
  readonly text: string;
};

/** How the index is made at build time, and read in the browser. */
export const indexOptions: Options<SearchEntry> = {
  fields: ['title', 'page', 'names', 'text'],
  storeFields: ['page', 'title', 'path'],
  tokenize: searchTerms,
  processTerm: comparedTerm,
};

/** Names and titles count for more; the word that is being typed may be a beginning. */
export const searchOptions: SearchOptions = {
  boost: { title: 4, names: 6, page: 2 },
  prefix: (_term, place, terms) => place === terms.length - 1,
};

/** One letter in five may be wrong, except in names. It takes longer, so it is for words that are not there as they are spelled. */
export const misspelled: SearchOptions = {
  ...searchOptions,
  fuzzy: (term) => (term.length > 4 && !/[-_./\d]/.test(term) ? 0.2 : false),
  maxFuzzy: 2,
};
