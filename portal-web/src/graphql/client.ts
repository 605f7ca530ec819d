import { makeFetchBody, makeFetchOptions } from '@urql/core/internal';
import {
  cacheExchange,
  Client,
  createRequest,
  fetchExchange,
  formatDocument,
  mapExchange,
  type AnyVariables,
  type Operation,
  type TypedDocumentNode,
} from 'urql';
import { beforePage, createAskedBefore } from './askedBefore.ts';
import { codeOf, outdated } from './describeError.ts';
import { backgroundHeader, createFetchTogether } from './fetchTogether.ts';

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

/**
 * Creates a client for the portal's GraphQL endpoint, with an empty cache. With `asOwner`, all that it asks for is answered as the owner of the integration with
 * this slug sees it, and the service refuses every mutation.
 */
export function createClient(asOwner?: string): Client {
  const { fetch, askAhead: askTogether } = createFetchTogether();
  const { beforeCache, behindCache, takeAsked } = createAskedBefore();
  const asAsked = (operation: Operation): Operation => (asOwner === undefined ? operation : { ...operation, extensions: { asOwner } });
  const client = new Client({
    url: '/graphql',
    fetch,
    preferGetMethod: false,
    fetchOptions: { credentials: 'same-origin', headers },
    exchanges: [
      beforeCache,
      cacheExchange,
      behindCache,
      mapExchange({
        onError: (error) => {
          if (codeOf(error) === 'UNAUTHENTICATED') answers.dispatchEvent(new Event('unauthenticated'));
          if (codeOf(error) === outdated) answers.dispatchEvent(new Event('outdated'));
        },
      }),
      mapExchange({ onOperation: asAsked }),
      fetchExchange,
    ],
  });
  takeAskedOf.set(client, takeAsked);
  aheadOf.set(client, (query, variables) => {
    const operation = asAsked(client.createRequestOperation('query', createRequest(query, variables)));
    const asSent = { ...operation, query: formatDocument(operation.query) };
    return askTogether(operation.context.url, makeFetchOptions(asSent, makeFetchBody(asSent)));
  });
  return client;
}

type AskAhead = <Data, Variables extends AnyVariables>(query: TypedDocumentNode<Data, Variables>, variables: Variables) => () => void;

const aheadOf = new WeakMap<Client, AskAhead>();

/**
 * Asks for what a part of the page is about to ask for, together with all that is asked in the same tick. The part gets this answer; it is kept
 * for nobody else, and not at all once something is changed. Returns a function that forgets it.
 */
export function askAhead<Data, Variables extends AnyVariables>(
  client: Client,
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): () => void {
  return aheadOf.get(client)?.(query, variables) ?? (() => {});
}

const takeAskedOf = new WeakMap<Client, (operation: Operation) => boolean>();

/**
 * Asks for what a page asks for that the reader is about to open. The answer is remembered like that of a page which has been open: the page shows it at once, and
 * reads anew only if it is opened more than `askedBeforeHolds` later.
 */
export function askBefore<Data, Variables extends AnyVariables>(
  client: Client,
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): void {
  void client.query(query, variables, beforePage).toPromise();
}

/** Reads anew what stays shown when another page is opened, unless `askBefore` asked for it just before. */
export function reread<Data, Variables extends AnyVariables>(
  client: Client,
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): void {
  const operation = client.createRequestOperation('query', createRequest(query, variables), { requestPolicy: 'network-only' });
  if (!takeAskedOf.get(client)?.(operation)) client.reexecuteOperation(operation);
}
