/** The build takes it from the contract’s example of a sync (portal-web/documentation/vitePlugin.ts). */
const records = import.meta.glob<Readonly<Record<string, unknown>>>('../../../../rest-api/contract/openapi.yaml', {
  query: '?record',
  import: 'default',
  eager: true,
});

/** An order as a back end gets it. */
export const sampleRecord: Readonly<Record<string, unknown>> = Object.assign({}, ...Object.values(records));
