import { useEffect, useState } from 'react';
import { type CombinedError, useQuery } from 'urql';
import { searchQuery, type SearchHit } from './searchQuery.ts';

const pause = 150;
const least = 2;

type Finding = {
  readonly found: readonly SearchHit[];
  readonly unfound: { readonly title: string; readonly text: string } | null;
  /** Whether the answer to this text is still to come. */
  readonly asking: boolean;
  readonly error: CombinedError | undefined;
};

/** What the text names among what a signed-in reader owns. The service is asked a moment after the last key, and of what is pasted as a whole at once. */
export function useFind(text: string, isSignedIn: boolean): Finding {
  const [asked, setAsked] = useState(text);
  useEffect(() => {
    const whole = /^[a-z]{3,4}_[0-9a-z]{26}$/i.test(text);
    const timer = setTimeout(() => setAsked(text), whole ? 0 : pause);
    return () => clearTimeout(timer);
  }, [text]);
  const short = asked.length < least || !isSignedIn;
  const [{ data, fetching, error, operation }] = useQuery({
    query: searchQuery,
    variables: { text: asked },
    pause: short,
    requestPolicy: 'network-only',
  });
  const current = !short && !fetching && operation?.variables.text === asked;
  const result = current ? data?.find : undefined;
  return {
    // What fitted the text before stays in view until the next answer, which is a moment away.
    found: isSignedIn && text.length >= least ? (data?.find.found ?? []) : [],
    unfound: result?.unfound ?? null,
    asking: isSignedIn && text.length >= least && (asked !== text || !current),
    error: current ? error : undefined,
  };
}
