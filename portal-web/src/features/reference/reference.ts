import type { ReferenceIndex, ReferenceLoaders, ReferencePage } from './referenceTypes.ts';

/** The build answers these queries of the contract (portal-web/documentation/vitePlugin.ts). */
const index = import.meta.glob<ReferenceIndex>('../../../../rest-api/contract/openapi.yaml', {
  query: '?index',
  import: 'default',
  eager: true,
});
const loaders = import.meta.glob<ReferenceLoaders>('../../../../rest-api/contract/openapi.yaml', {
  query: '?reference',
  import: 'default',
  eager: true,
});

const only = <T>(found: Record<string, T>): T => Object.values(found)[0] as T;

/** Every operation and every event, with its address. */
export const referenceIndex = only(index);

/** A page of the reference, loaded when it is first read; null when there is none of this name. */
export async function loadReferencePage(name: string): Promise<ReferencePage | null> {
  const pages = only(loaders);
  const load = Object.hasOwn(pages, name) ? pages[name] : undefined;
  return load ? (await load()).default : null;
}
