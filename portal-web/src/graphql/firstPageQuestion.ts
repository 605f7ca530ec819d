import type { AnyVariables, Client, TypedDocumentNode } from 'urql';
import { askAhead } from './client.ts';

let forget: (() => void) | null = null;

/** Asks for what the first page that is opened will ask for, before its script is there. */
export function askForFirstPageItself<Data, Variables extends AnyVariables>(
  client: Client,
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): void {
  forget = askAhead(client, query, variables);
}

/** Forgets it, once the page is shown and has asked: no other page may get this answer. */
export function forgetFirstPageItself(): void {
  forget?.();
  forget = null;
}
