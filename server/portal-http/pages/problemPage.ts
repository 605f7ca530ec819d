import { escapeHtml } from '../../domain/shared/text/escapeHtml.ts';
import { errorCatalogue, type ErrorCode } from '../../domain/shared/errorCatalogue.ts';
import { problemTexts, retryWords } from './problemTexts.ts';

/**
 * The page that explains one code of the catalogue to programs and to readers without scripts. `example` is a body with this code; codes that only the portal has come without one.
 */
export function problemPage(code: ErrorCode, example: object | undefined): string {
  const { status, title, advice, graphql } = errorCatalogue[code];
  const { meaning, steps, retry } = problemTexts[code];
  const body = example ?? { errors: [{ message: advice, extensions: { code: graphql } }] };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Operator portal</title>
<link rel="icon" type="image/svg+xml" href="/assets/favicon-v1.svg">
<link rel="stylesheet" href="/assets/problem-page-v1.css">
<script src="/assets/color-scheme-v1.js"></script>
</head>
<body>
<main>
<nav aria-label="Portal"><a href="/">Operator portal</a> · <a href="/problems">Problems</a></nav>
<h1>${escapeHtml(title)}</h1>
<p>${marked(advice)}</p>
<h2>What to do</h2>
<ul>
${steps.map((step) => `<li>${marked(step)}</li>`).join('\n')}
</ul>
<h2>What it means</h2>
<p>${marked(meaning)}</p>
<dl>
<dt>Code</dt><dd><code>${code}</code></dd>
<dt>HTTP status</dt><dd>${status}</dd>
<dt>Retry the request</dt><dd>${retryWords[retry]}</dd>
</dl>
<h2>${example ? 'Example response body' : 'Example response'}</h2>
<pre tabindex="0"><code>${escapeHtml(JSON.stringify(body, null, 2))}</code></pre>
<p class="facts">${
    example
      ? 'Problems follow RFC 9457. Look up the <code>request_id</code> in the integration’s request log. Every operation and code is described in the <a href="/openapi.json">API description</a>.'
      : 'Only the portal’s GraphQL API returns this problem; the machine API does not.'
  }</p>
</main>
</body>
</html>
`;
}

/** The text as HTML, with the parts in backticks as code. */
function marked(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
