import { escapeHtml } from '../../domain/shared/text/escapeHtml.ts';
import { type DocumentPage, type DocumentParts, type Documents, type OwnAddresses, withAddresses } from './readDocuments.ts';

/** The page of the documentation at a path as readers without scripts get it; null if there is none. Paths are compared as the router does. */
export function documentParts({ pages }: Documents, path: string, addresses: OwnAddresses): DocumentParts | null {
  const wanted = path.toLowerCase().replace(/\/$/, '');
  const found = pages.find((page) => page.path.toLowerCase() === wanted);
  if (!found) return null;
  const { title, lead, html } = found;
  return {
    head: `<title>${escapeHtml(title)} · Operator portal</title>
    <link rel="alternate" type="text/markdown" href="${found.path}.md" title="This page as Markdown" />`,
    body: withAddresses(
      `<link rel="stylesheet" href="/assets/problem-page-v1.css"><main>
<nav aria-label="Portal"><a href="/">Operator portal</a> · <a href="/docs/reference">API reference</a></nav>
${lead && found.kind === 'guide' ? html.replace('</h1>', `</h1>\n<p>${escapeHtml(lead)}</p>`) : html}
<h2>All pages</h2>
<ul>
${pages
  .filter(({ kind }) => kind !== 'problem')
  .map(linkTo)
  .join('\n')}
</ul>
<p>The portal itself, where integrations are made and looked after, needs JavaScript.</p>
</main>`,
      addresses,
    ),
  };
}

function linkTo({ path, title, kind, lead }: DocumentPage): string {
  return `<li><a href="${path}">${escapeHtml(title)}</a>${kind === 'operation' ? ` <code>${escapeHtml(lead)}</code>` : ''}</li>`;
}
