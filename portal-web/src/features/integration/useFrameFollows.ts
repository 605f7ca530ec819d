import { useEffect, useRef } from 'react';
import { useClient } from 'urql';
import { background } from '../../graphql/client.ts';
import { integrationQuery } from './integrationQuery.ts';
import { useIntegration } from './useIntegration.ts';

/**
 * Reads the frame around a tab again, in the background, whenever the tab has read something new, so that neither contradicts the other. `news` is what
 * the tab has read of what the frame's health is made of; undefined until it has.
 */
export function useFrameFollows(news: string | undefined): void {
  const { slug } = useIntegration().integration;
  const client = useClient();
  const known = useRef(news);
  useEffect(() => {
    const before = known.current;
    known.current = news ?? before;
    if (before !== undefined && news !== undefined && before !== news)
      void client.query(integrationQuery, { slug }, background).toPromise();
  }, [news, slug, client]);
}
