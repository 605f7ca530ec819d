import { useEffect, useEffectEvent, useRef } from 'react';
import { useClient, type AnyVariables, type TypedDocumentNode } from 'urql';
import { askAhead } from './client.ts';

/**
 * Asks, together with a page’s own query, for what a part of the page will ask for as soon as that is `answered`. What the part has not asked for
 * by the time that it is first shown is forgotten.
 */
export function useAskedAhead<Data, Variables extends AnyVariables>(
  answered: boolean,
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): void {
  const client = useClient();
  const forget = useRef(() => {});
  const ask = useEffectEvent(() => askAhead(client, query, variables));
  // The effects of the parts run before this one.
  useEffect(() => {
    if (answered) forget.current();
    else forget.current = ask();
  }, [answered]);
  useEffect(() => () => forget.current(), []);
}
