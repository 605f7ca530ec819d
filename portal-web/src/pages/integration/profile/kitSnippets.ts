import { escapeHtml } from '../../../../../server/domain/shared/text/escapeHtml.ts';

/** The service's own words and addresses for crediting it. */
type Attribution = { text: string; link: string; badgeUrl: string; badgeIntegrity: string };

/** The credit as HTML, for pages that show data. */
export function creditHtml({ text, link }: Pick<Attribution, 'text' | 'link'>): string {
  return `<a href="${link}" rel="noopener">${text}</a>`;
}

/** The credit as text, for exports, notifications and plain-text emails, which cannot have links. */
export function creditPlain({ text, link }: Pick<Attribution, 'text' | 'link'>): string {
  return `${text}: ${link}`;
}

export const badgeThemes = ['auto', 'light', 'dark'] as const;
export type BadgeTheme = (typeof badgeThemes)[number];

/** The footer badge: an element for it, and the script that fills the element. */
export function badgeHtml({ badgeUrl, badgeIntegrity }: Pick<Attribution, 'badgeUrl' | 'badgeIntegrity'>, theme: BadgeTheme): string {
  return `<span data-svc-attribution data-svc-theme="${theme}"></span>
<script defer src="${badgeUrl}"
  integrity="${badgeIntegrity}"
  crossorigin="anonymous" referrerpolicy="no-referrer"></script>`;
}

/** What the linking page takes from the integration's profile. */
type LinkingPageFacts = {
  readonly publicName: string;
  readonly purpose: string;
  readonly legalOperatorName: string;
  readonly privacyPolicyUrl: string;
  readonly termsOfServiceUrl: string;
  readonly supportEmail: string;
  readonly orderLinkingUrl: string;
};

/**
 * The address that the form posts to. A path that begins with two slashes would lead to another host, so such an address is written in
 * full.
 */
function pathOf(address: string): string {
  const { pathname } = new URL(address);
  return pathname.startsWith('//') ? address : pathname;
}

/**
 * A linking page that fulfils what the review checks (docs/specification.md, “Linking page”), with the integration's own words and links.
 * It asks for the code and nothing else, as text, so that leading zeroes stay.
 */
export function linkingPage(
  facts: LinkingPageFacts,
  { attribution, machineApiUrl }: { attribution: Attribution; machineApiUrl: string },
): string {
  const [publicName, purpose, legalOperatorName] = [facts.publicName, facts.purpose, facts.legalOperatorName].map(escapeHtml);
  const [privacyPolicyUrl, termsOfServiceUrl, supportEmail] = [facts.privacyPolicyUrl, facts.termsOfServiceUrl, facts.supportEmail].map(
    escapeHtml,
  );
  const action = escapeHtml(pathOf(facts.orderLinkingUrl));
  return `<!doctype html>
<!--
  A sample of the linking page at ${escapeHtml(facts.orderLinkingUrl).replaceAll('--', '-%2D')}
  The form posts "code" to your back end. There:
  - take out whatever is no digit: people paste "042 881 5903" as it is shown to them, and the API wants "0428815903";
  - keep it a string: it may begin with a zero that a number loses;
  - redeem it once, with your client certificate: POST ${machineApiUrl}/link-codes/redeem {"code": "0428815903"};
  - answer each 404 with one message, such as: This code cannot be used. Get a new one and enter it within ten minutes;
  - keep it out of URLs, logs, analytics and error reports, and enable your framework's protection against cross-site request forgery.
-->
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    <meta name="color-scheme" content="light dark" />
    <title>Link your order · ${publicName}</title>
    <style>
      html { color-scheme: light dark; background: light-dark(#fff, #14161a); color: light-dark(#16181d, #e8eaed); }
      a { color: light-dark(#1f4fd8, #8ba9f8); }
      body { max-width: 36rem; margin: 0 auto; padding: 2rem 1rem; font: 1rem/1.5 system-ui, sans-serif; }
      label, button { display: block; font-weight: 600; }
      input, button { box-sizing: border-box; min-height: 2.75rem; padding: 0.5rem 0.75rem; font: inherit; }
      input { width: 100%; max-width: 16rem; margin-block: 0.25rem 1rem; letter-spacing: 0.1em; }
      footer { margin-top: 3rem; display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; }
    </style>
  </head>
  <body>
    <main>
      <h1>Link your order to ${publicName}</h1>
      <p>${purpose}</p>
      <form method="post" action="${action}" autocomplete="off">
        <label for="code">Link code</label>
        <span id="code-help">Ten digits that you get from the order-tracking service. A code works once and expires after ten minutes.</span>
        <input id="code" name="code" type="text" inputmode="numeric" pattern="[^0-9]*([0-9][^0-9]*){10}" maxlength="40"
          title="Ten digits" aria-describedby="code-help" autocomplete="off" spellcheck="false" required />
        <button type="submit">Link my order</button>
      </form>
      <p>We need this code and nothing else. Never enter a login, an account, an order number or a vehicle identification number here.</p>
      <h2>What you decide</h2>
      <ul>
        <li>You choose at the order-tracking service exactly what is shared with us.</li>
        <li>You can revoke access there at any time, for one order or all of them. We then delete our copies within seven days.</li>
        <li>Your linked order is separate from statistics. Taking part in statistics is a separate choice that you also make there.</li>
      </ul>
    </main>
    <footer>
      <a href="${privacyPolicyUrl}">Privacy policy</a>
      <a href="${termsOfServiceUrl}">Terms of service</a>
      <a href="mailto:${supportEmail}">Support: ${supportEmail}</a>
      <span>${legalOperatorName}</span>
      ${creditHtml(attribution)}
    </footer>
  </body>
</html>
`;
}
