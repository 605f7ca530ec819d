import { createHash } from 'node:crypto';
import type { Row } from './query.ts';
import { operator, service } from './settings.ts';

/** The portal supplies these words, the link and the badge, on the page Profile. */
const credit = { text: 'Data provided by the order-tracking service with user consent', link: `${service.portalUrl}/app` };
export const creditPlain = `${credit.text}: ${credit.link}`;
const badge = {
  script: `${service.portalUrl}/assets/svc-data-credit-v1.js`,
  integrity: 'sha384-hs0QVCa9oOAotvRU9PVFmNCCVePj9fOGuBzXEkoXaBdDX9B+zKyDBoZKTUnh05YO',
};

type Html = { readonly html: string };
type Value = string | number | null | Html | readonly Html[];
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
function escaped(value: Value): string {
  if (value === null || typeof value !== 'object') return String(value).replaceAll(/[&<>"']/g, (each) => entities[each] ?? '');
  return 'html' in value ? value.html : value.map(escaped).join('');
}
/** Every value is escaped, unless it is HTML from here. */
const markup = (strings: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  html: String.raw({ raw: strings }, ...values.map(escaped)),
});

const style = `
html { color-scheme: light dark; } body { max-width: 36rem; margin: 0 auto; padding: 2rem 1rem; font: 1rem/1.5 system-ui, sans-serif; }
label, button { display: block; font-weight: 600; } input, button { box-sizing: border-box; min-height: 2.75rem; padding: 0.5rem 0.75rem; font: inherit; }
input { width: 100%; max-width: 16rem; margin-block: 0.25rem 1rem; letter-spacing: 0.1em; } li { margin-block: 1rem; }
footer { margin-top: 3rem; display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; }`;

/** Nothing runs but the badge, nothing is framed, and forms lead nowhere else. */
export const contentSecurityPolicy = [
  "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  `img-src data:; script-src ${new URL(badge.script).origin}`,
].join('; ');

function page(title: string, main: Html): string {
  return markup`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · ${operator.name}</title>
    <link rel="icon" href="data:," />
    <style>${{ html: style }}</style>
  </head>
  <body>
    <main><h1>${title}</h1>${main}</main>
    <footer>
      <a href="/">Your orders</a> <a href="/link">Link an order</a>
      <a href="${operator.privacyPolicyUrl}">Privacy policy</a> <a href="${operator.termsOfServiceUrl}">Terms of service</a>
      <a href="mailto:${operator.supportEmail}">Support: ${operator.supportEmail}</a> <span>${operator.operator}</span>
      <span data-svc-attribution data-svc-theme="auto"></span>
      <script defer src="${badge.script}" integrity="${badge.integrity}" crossorigin="anonymous" referrerpolicy="no-referrer"></script>
    </footer>
  </body>
</html>
`.html;
}

/** A list of two sources: what comes from the service says so at each entry, and our own entry does not. */
export function ordersPage(notices: readonly Row[]): string {
  const entries = notices.map(
    ({ resource_id: id = '', words = '', changed_at: at = '' }) => markup`
      <li>
        <strong>${words}</strong>, as of <time datetime="${at}">${String(at).slice(0, 10)}</time>
        (<a href="/exports/${id}.csv" aria-label="${words}: download as CSV">CSV</a>)<br />
        <a href="${credit.link}" rel="noopener">${credit.text}</a>
      </li>`,
  );
  const none = notices.length > 0 ? '' : markup`<p>You have linked nothing yet. <a href="/link">Link an order</a></p>`;
  return page('Your orders', markup`${none}<ul>${entries}<li>News from ${operator.name}: ${operator.news}</li></ul>`);
}

/** Asks for the code as text, so that leading zeroes stay, and for nothing else. */
export function linkingPage(token: string, problem?: string): string {
  return page(
    `Link your order to ${operator.name}`,
    markup`<p>${operator.purpose}</p>
      <form method="post" action="/link" autocomplete="off">
        <input type="hidden" name="token" value="${token}" />
        <label for="code">Link code</label>
        <span id="help">Ten digits that you get from the order-tracking service. A code works once and expires after ten minutes.</span>
        <input id="code" name="code" type="text" inputmode="numeric" pattern="[^0-9]*([0-9][^0-9]*){10}" maxlength="40" title="Ten digits"
          aria-describedby="help" autocomplete="off" spellcheck="false" required />
        ${problem === undefined ? '' : markup`<p role="alert">${problem}</p>`}
        <button type="submit">Link my order</button>
      </form>
      <p>We need this code and nothing else. Never enter a login, an account, an order number or a vehicle identification number here.</p>
      <h2>What you decide</h2>
      <ul>
        <li>You choose at the order-tracking service exactly what is shared with us.</li>
        <li>You can revoke access there at any time, for one order or all of them. We then delete our copies within seven days.</li>
        <li>Your linked order is separate from statistics. Taking part in statistics is a separate choice that you also make there.</li>
      </ul>`,
  );
}

export const plainPage = (title: string): string => page(title, markup`<p><a href="/">Back to your orders</a></p>`);
