import { escapeHtml } from '../../domain/shared/text/escapeHtml.ts';
import type { ServiceFacts } from '../../portal-api/context.ts';
import { type DocumentPage, type Documents, type OwnAddresses, withAddresses } from './readDocuments.ts';

type Addresses = Pick<ServiceFacts, 'portalUrl' | 'machineApiUrl'>;

/** What there is to read, for agents: a title, a summary, and lists of links (llmstxt.org). */
export function llmsText({ pages }: Documents, { portalUrl, machineApiUrl }: Addresses): string {
  const links = (...kinds: DocumentPage['kind'][]) =>
    pages
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ path, title, lead }) => `- [${title}](${portalUrl}${path}.md): ${lead}`)
      .join('\n');
  return `# Operator portal

> Build an integration that receives the order data people choose to share with it: over mutual TLS, with a sandbox of test data, and webhooks as prompts to pull.

The machine API is at ${machineApiUrl}. Its only credential is a client certificate, which a person requests in the portal. Every page under ${portalUrl}/docs is available as Markdown at its address with \`.md\` at the end.

## Guides

${links('guide')}

## API reference

${links('overview', 'operation')}

## Webhook events

${links('event')}

## Optional

- [OpenAPI](${portalUrl}/openapi.yaml): the machine API for tools
- [AsyncAPI](${portalUrl}/asyncapi.yaml): the webhooks for tools
- [Feed of changes](${portalUrl}/changelog.atom): the changelog as Atom
`;
}

/** Where the interfaces are described (RFC 9727), as a linkset (RFC 9264). */
export function apiCatalog({ portalUrl, machineApiUrl }: Addresses): object {
  const link = (path: string, type: string) => ({ href: `${portalUrl}${path}`, type });
  return {
    linkset: [
      {
        anchor: machineApiUrl,
        'service-desc': [
          link('/openapi.yaml', 'application/yaml'),
          link('/openapi.json', 'application/json'),
          link('/asyncapi.yaml', 'application/yaml'),
          link('/asyncapi.json', 'application/json'),
        ],
        'service-doc': [link('/docs/reference', 'text/html'), link('/docs/reference.md', 'text/markdown')],
      },
    ],
  };
}

/** The changelog as a feed (RFC 4287). */
export function changelogFeed({ changes }: Documents, addresses: OwnAddresses): string {
  const page = `${addresses.portalUrl}/docs/changelog`;
  const entries = changes.map(
    ({ anchor, title, at, html }) => `  <entry>
    <id>${escapeHtml(`${page}#${anchor}`)}</id>
    <title>${escapeHtml(title)}</title>
    <updated>${at}</updated>
    <link href="${escapeHtml(page)}"/>
    <content type="html">${escapeHtml(withAddresses(html, addresses).replaceAll('href="/', `href="${addresses.portalUrl}/`))}</content>
  </entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escapeHtml(page)}</id>
  <title>Operator portal: what changed for integrations</title>
  <updated>${changes[0]?.at ?? '1970-01-01T00:00:00.000Z'}</updated>
  <author><name>Operator Integration Service</name></author>
  <link href="${escapeHtml(page)}"/>
  <link rel="self" href="${escapeHtml(`${addresses.portalUrl}/changelog.atom`)}"/>
${entries.join('\n')}
</feed>
`;
}
