import { cacheExchange, Client, fetchExchange, mapExchange } from 'urql';
import { codeOf } from './describeError.ts';

/** Apollo Server asks for a header that a foreign page cannot send without being asked first. */
const headers = { 'apollo-require-preflight': '1' };

/** The context of a request that happens by itself: it does not count as use of the session. */
export const background = {
  requestPolicy: 'network-only',
  fetchOptions: { credentials: 'same-origin', headers: { ...headers, 'x-svc-background': '1' } },
} as const;

/**
 * Makes the client of the portal's GraphQL endpoint. `onSignedOut` is called whenever an answer says that there is no
 * session any more.
 */
export function createClient(onSignedOut: () => void): Client {
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetchOptions: { credentials: 'same-origin', headers },
    exchanges: [
      cacheExchange,
      mapExchange({
        onError: (error) => {
          if (codeOf(error) === 'UNAUTHENTICATED') onSignedOut();
        },
      }),
      fetchExchange,
    ],
  });
}
