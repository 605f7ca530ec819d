import { cacheExchange, Client, fetchExchange, mapExchange } from 'urql';
import { codeOf, outdated } from './describeError.ts';

/** Apollo Server requires a header that a page of another origin can only send after a preflight request. */
const headers = { 'apollo-require-preflight': '1' };

/** The context of a background request, which does not count as use of the session. */
export const background = {
  requestPolicy: 'network-only',
  fetchOptions: { credentials: 'same-origin', headers: { ...headers, 'x-svc-background': '1' } },
} as const;

const answers = new EventTarget();

/** Calls `listener` whenever a response says that the session has ended. Returns a function that stops this. */
export function onUnauthenticated(listener: () => void): () => void {
  answers.addEventListener('unauthenticated', listener);
  return () => answers.removeEventListener('unauthenticated', listener);
}

/** Calls `listener` whenever the service refuses an operation that it no longer knows. Returns a function that stops this. */
export function onOutdated(listener: () => void): () => void {
  answers.addEventListener('outdated', listener);
  return () => answers.removeEventListener('outdated', listener);
}

/**
 * Creates a client for the portal's GraphQL endpoint, with an empty cache. With `asOwner`, all that it asks for is answered as the owner of the integration with
 * this slug sees it, and the service refuses every mutation.
 */
export function createClient(asOwner?: string): Client {
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetchOptions: { credentials: 'same-origin', headers },
    exchanges: [
      cacheExchange,
      mapExchange({
        onError: (error) => {
          if (codeOf(error) === 'UNAUTHENTICATED') answers.dispatchEvent(new Event('unauthenticated'));
          if (codeOf(error) === outdated) answers.dispatchEvent(new Event('outdated'));
        },
      }),
      ...(asOwner === undefined ? [] : [mapExchange({ onOperation: (operation) => ({ ...operation, extensions: { asOwner } }) })]),
      fetchExchange,
    ],
  });
}
