import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceFacts } from '../../portal-api/context.ts';

/** The build writes this file beside the pages (portal-web/documentation/vitePlugin.ts). */
const documentsFile = 'documents.json';

/** A page of the documentation, with placeholders for the addresses of an installation. */
export type DocumentPage = {
  readonly path: string;
  readonly kind: 'home' | 'overview' | 'guide' | 'operation' | 'event' | 'problems' | 'problem';
  readonly title: string;
  readonly lead: string;
  readonly markdown: string;
  readonly html: string;
};

/** An entry of the changelog. */
type Change = { readonly anchor: string; readonly title: string; readonly at: string; readonly html: string };

export type Documents = { readonly pages: readonly DocumentPage[]; readonly changes: readonly Change[] };

/** What one page of the documentation is sent with, as HTML. */
export type DocumentParts = { readonly head: string; readonly body: string };

/** Reads the documentation that was built with the pages in `root`, once it is there. */
export function documentsReader(root: string): () => Promise<Documents> {
  let read: Promise<Documents> | undefined;
  return () => {
    read ??= readFile(join(root, documentsFile), 'utf8').then((text) => JSON.parse(text) as Documents);
    read.catch(() => {
      read = undefined;
    });
    return read;
  };
}

/** What stands in the places that texts have for an installation's own addresses. */
export type OwnAddresses = Pick<ServiceFacts, 'portalUrl' | 'machineApiUrl' | 'supportContact'>;

/** A text of the documentation with this installation's own addresses. */
export function withAddresses(text: string, { portalUrl, machineApiUrl, supportContact }: OwnAddresses): string {
  const { origin, host } = new URL(machineApiUrl);
  const addresses: Readonly<Record<string, string>> = {
    base_url: machineApiUrl,
    portal_url: portalUrl,
    machine_origin: origin,
    machine_host: host,
    support: supportContact.text,
  };
  return text.replaceAll(/\{(base_url|portal_url|machine_origin|machine_host|support)\}/g, (_, name: string) => addresses[name] ?? '');
}
