import { cacheExchange, Client, fetchExchange, mapExchange } from 'urql';
import { codeOf } from './describeError.ts';

/** Apollo Server asks for a header that a foreign page cannot send without being asked first. */
const headers = { 'apollo-require-preflight': '1' };

/** The context of a request that happens by itself: it does not count as use of the session. */
export const background = {
  requestPolicy: 'network-only',
  fetchOptions: { credentials: 'same-origin', headers: { ...headers, 'x-svc-background': '1' } },
} as const;

const answers = new EventTarget();

/** Calls `listener` whenever an answer says that there is no session any more. Returns how to stop that. */
export function onUnauthenticated(listener: () => void): () => void {
  answers.addEventListener('unauthenticated', listener);
  return () => answers.removeEventListener('unauthenticated', listener);
}

/** Makes a client of the portal's GraphQL endpoint, with an empty cache. */
export function createClient(): Client {
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetchOptions: { credentials: 'same-origin', headers },
    exchanges: [
      cacheExchange,
      mapExchange({
        onError: (error) => {
          if (codeOf(error) === 'UNAUTHENTICATED') answers.dispatchEvent(new Event('unauthenticated'));
        },
      }),
      fetchExchange,
    ],
  });
}
