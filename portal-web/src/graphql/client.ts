import { cacheExchange, Client, fetchExchange, mapExchange } from 'urql';
import { askUntilUnchanged, backgroundHeader } from './askUntilUnchanged.ts';
import { codeOf, outdated } from './describeError.ts';
import { createRecovery } from './recovery.ts';
import { noteServerTime } from '../ui/time/serverTime.ts';
import { createQuestions, type Ask } from './questions.ts';

/** Apollo Server requires a header that a page of another origin can only send after a preflight request. */
const headers = { 'apollo-require-preflight': '1' };

/** The context of a background request, which does not count as use of the session. */
export const background = {
  requestPolicy: 'network-only',
  fetchOptions: { credentials: 'same-origin', headers: { ...headers, [backgroundHeader]: '1' } },
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

/** Calls `listener` whenever the reader has changed something. Returns a function that stops this. */
export function onChanged(listener: () => void): () => void {
  answers.addEventListener('changed', listener);
  return () => answers.removeEventListener('changed', listener);
}

/** `fetch`, which takes note of the time that the service tells with each answer. */
const timedFetch: typeof fetch = async (...request) => {
  const sentAt = Date.now();
  const response = await fetch(...request);
  noteServerTime(response.headers.get('date'), sentAt, Date.now());
  return response;
};

/** A client for the portal's GraphQL endpoint, and what asks with it when a page is opened, or is about to be. */
export type PortalClient = { readonly client: Client; readonly ask: Ask; readonly askAhead: Ask };

/**
 * Creates a client with an empty cache. With `asOwner`, all that it asks for is answered as the owner of the integration with this slug sees it,
 * and the service refuses every mutation.
 */
function createPortalClient(asOwner?: string): PortalClient {
  const { beforeCache, behindCache, askWith } = createQuestions();
  const recover = createRecovery(background);
  const client: Client = new Client({
    url: '/graphql',
    fetch: askUntilUnchanged(timedFetch),
    preferGetMethod: false,
    fetchOptions: { credentials: 'same-origin', headers },
    exchanges: [
      mapExchange({ onResult: (result) => recover(client, result) }),
      beforeCache,
      cacheExchange,
      behindCache,
      mapExchange({
        onResult: ({ operation, error }) => {
          // What a page says by itself changes nothing that its reader sees.
          const own = operation.context.fetchOptions !== background.fetchOptions;
          if (operation.kind === 'mutation' && own && !error) answers.dispatchEvent(new Event('changed'));
        },
        onError: (error) => {
          if (codeOf(error) === 'UNAUTHENTICATED') answers.dispatchEvent(new Event('unauthenticated'));
          if (codeOf(error) === outdated) answers.dispatchEvent(new Event('outdated'));
        },
      }),
      mapExchange({
        onOperation: (operation) => (asOwner === undefined ? operation : { ...operation, extensions: { asOwner } }),
      }),
      fetchExchange,
    ],
  });
  return { client, ask: askWith(client, false), askAhead: askWith(client, true) };
}

let session = createPortalClient();
let ownersView: { readonly slug: string; readonly portal: PortalClient } | null = null;

/** The client of the session, with which the pages and their loaders ask. */
export function sessionClient(): PortalClient {
  return session;
}

/** Begins with an empty cache, so that nothing of the previous session remains. */
export function renewSessionClient(): Client {
  ownersView = null;
  session = createPortalClient();
  return session.client;
}

/** The client with which the pages of an integration are shown as its owner sees them, until they are left. */
export function ownersViewClient(slug: string): PortalClient {
  if (ownersView?.slug !== slug) ownersView = { slug, portal: createPortalClient(slug) };
  return ownersView.portal;
}

/** Forgets what was read for the pages that an administrator leaves. */
export function leaveOwnersView(slug: string): void {
  if (ownersView?.slug === slug) ownersView = null;
}
