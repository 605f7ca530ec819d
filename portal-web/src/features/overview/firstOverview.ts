import type { Client } from 'urql';
import { askAhead } from '../../graphql/client.ts';
import { overviewQuery } from './overviewQuery.ts';

let forget: (() => void) | null = null;

/** Asks for the overview of an integration that is the first page to be opened, before it is known whether there is one. */
export function askForFirstOverview(client: Client, slug: string): void {
  forget = askAhead(client, overviewQuery, { slug });
}

/** Forgets what the first overview has not asked for, once one is shown: no other may get it. */
export function forgetFirstOverview(): void {
  forget?.();
  forget = null;
}
