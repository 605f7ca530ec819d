import { createRequest } from '@urql/core';

type Fetch = typeof fetch;

/** The header that makes a request one in the background. */
export const backgroundHeader = 'x-svc-background';

/**
 * `fetch` for GraphQL, which asks a query until no change has ended in the meantime: an answer that arrives after a change may still show the
 * state before it, and urql repeats only queries that have an answer by then.
 */
export function askUntilUnchanged(send: Fetch): Fetch {
  let changes = 0;
  return async (input, options) => {
    if (!isQuery(options?.body)) {
      try {
        return await send(input, options);
      } finally {
        // What a page says by itself, such as that a submission is open, changes nothing that its reader sees.
        if (!new Headers(options?.headers).has(backgroundHeader)) changes += 1;
      }
    }
    for (;;) {
      const changesBefore = changes;
      const response = await send(input, options);
      const text = await response.text();
      // A status without a body, such as 204, allows no text.
      if (changesBefore === changes) return new Response(text || null, response);
    }
  };
}

function isQuery(body: RequestInit['body']): boolean {
  if (typeof body !== 'string') return false;
  const { query } = JSON.parse(body) as { readonly query: string };
  return createRequest(query, {}).query.definitions.some((each) => 'operation' in each && String(each.operation) === 'query');
}
