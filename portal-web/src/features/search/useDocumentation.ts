import { useEffect, useState } from 'react';
import { type DocumentationSearch, openSearch } from '../docs-search/openSearch.ts';
import type { PageHit } from '../docs-search/searchDocumentation.ts';

type Pages = {
  readonly pages: readonly PageHit[];
  /** What is nearest where no page fits. */
  readonly near: readonly PageHit[];
  readonly loading: boolean;
  readonly failed: boolean;
};

/** The pages of the documentation that fit a text. The search and its index are loaded with the first text. */
export function useDocumentation(text: string): Pages {
  const [loaded, setLoaded] = useState<DocumentationSearch | null>(null);
  const [failed, setFailed] = useState(false);
  const wanted = text.length >= 2;
  useEffect(() => {
    if (!wanted) return;
    let isOpen = true;
    openSearch().then(
      (search) => isOpen && setLoaded(search),
      () => isOpen && setFailed(true),
    );
    return () => {
      isOpen = false;
    };
  }, [wanted]);
  const pages = wanted && loaded ? loaded.search(text) : [];
  return { pages, near: wanted && loaded && pages.length === 0 ? loaded.near(text) : [], loading: wanted && !loaded && !failed, failed };
}
