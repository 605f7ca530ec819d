/* Credits the source of shared order data. No cookies, no storage, no analytics, no request of its own. This version never changes. */
(function () {
  'use strict';
  const own = document.currentScript || document.querySelector('script[src*="/assets/svc-data-credit-v1.js"]');
  const dark = '{--ground:#1b1e23;--ink:#e8eaed;--line:#434a55;--ring:#8ba9f8;color-scheme:dark}';
  const css =
    ':host{--ground:#f6f7f9;--ink:#16181d;--line:#c9ced8;--ring:#1f4fd8;display:inline-block;max-width:100%;color-scheme:light}' +
    '@media(prefers-color-scheme:dark){:host(:not([data-svc-theme=light i]))' +
    dark +
    '}:host([data-svc-theme=dark i])' +
    dark +
    'a{box-sizing:border-box;display:inline-block;max-width:100%;padding:6px 12px;border:1px solid var(--line);border-radius:6px;' +
    'background:var(--ground);color:var(--ink);font:400 14px/1.4 system-ui,sans-serif;text-align:start;text-decoration:underline}' +
    'a:focus-visible{outline:2px solid var(--ring);outline-offset:2px}';

  function show(place) {
    if (place.shadowRoot) return;
    const link = document.createElement('a');
    link.textContent = 'Data provided by the order-tracking service with user consent';
    link.lang = 'en';
    if (own && own.src) link.href = new URL('/app', own.src).href;
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
    link.referrerPolicy = 'no-referrer';
    const root = place.attachShadow({ mode: 'open' });
    root.append(link);
    try {
      // A sheet made by script is no inline style: a strict content security policy lets it pass.
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      root.adoptedStyleSheets = [sheet];
    } catch {
      // An old browser shows the words without a frame.
    }
  }

  // Stands in for a place until the page has one.
  let substitute = null;

  function beside() {
    const place = (substitute = document.createElement('span'));
    place.setAttribute('data-svc-attribution', '');
    place.setAttribute('data-svc-theme', 'auto');
    if (own && document.body.contains(own)) own.after(place);
    else document.body.append(place);
    show(place);
  }

  function fill() {
    const places = document.querySelectorAll('span[data-svc-attribution]');
    if (substitute && places.length > 1) {
      substitute.remove();
      substitute = null;
    }
    for (const place of places) show(place);
    return places.length > 0;
  }

  function start() {
    if (!fill()) beside();
    // Pages that are made by script insert and replace their places later.
    new MutationObserver(fill).observe(document, { childList: true, subtree: true, attributeFilter: ['data-svc-attribution'] });
  }

  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
  else start();
})();
