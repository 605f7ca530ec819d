import type { OutboundErrorKind } from '../../webhook/WebhookTransport.ts';
import type { CheckedPage } from './checkedPages.ts';
import type { FoundPage } from './runPageCheck.ts';
import { type Finding, withAdvice } from './submissionChecks.ts';

/** What says something about the page itself. Every other error may be this service’s, or pass. */
const ownErrors: Partial<Readonly<Record<OutboundErrorKind, Omit<Finding, 'outcome'>>>> = {
  certificate_expired: withAdvice('The server’s certificate has expired.', 'Renew it.'),
  certificate_wrong_name: withAdvice('The server’s certificate is for another name.', 'Use one for the host of this address.'),
  certificate_untrusted: { found: 'No public authority issued the server’s certificate, or the server does not send the whole chain.' },
};

const passingErrors: Partial<Readonly<Record<OutboundErrorKind, string>>> = {
  url_not_allowed: 'The service does not request addresses of this form, so reviewers open it themselves.',
  no_public_address: 'The name did not resolve to a public address.',
  dns_timeout: 'The name servers did not answer in time.',
  connection_refused: 'The server refused the connection.',
  host_unreachable: 'There was no route to the server.',
  connect_timeout: 'The server did not accept a connection in time.',
  timeout: 'The page did not finish loading in time.',
};

/** What says that there is no such page. With other statuses, servers keep programs away or ask them something, or they pass. */
const saysGone = (status: number): boolean => status === 404 || status === 410;
const redirects = (status: number): boolean => status >= 300 && status < 400;

/** Whether a page answers: with 200, by HTTPS, at its own host. */
export function judgeAnswer({ status, error, ledTo, unread: why }: FoundPage): Finding {
  if (ledTo !== null)
    return { outcome: 'failed', ...withAdvice(`It redirects to ${ledTo}.`, 'Enter the address that answers without a redirect.') };
  if (status === 200 && (error === null || why === 'too_large')) return passed('It answers with 200.');
  if (error !== null) {
    const own = ownErrors[error];
    return own === undefined
      ? unknown(`${passingErrors[error] ?? 'The service could not read the answer.'} Check again later.`)
      : { outcome: 'failed', ...own };
  }
  if (status === null) return unknown('The service got no answer. Check again later.');
  if (saysGone(status)) return failed(`It answers with ${status}; 200 is needed, without a login.`);
  return redirects(status)
    ? unknown('It keeps redirecting the service, as pages that need a cookie do. Reviewers open it themselves.')
    : unknown(`It answered the service with ${status}. People may see something else, so reviewers open it themselves.`);
}

const pageNames: Partial<Readonly<Record<CheckedPage, string>>> = {
  reviewAddress: 'review address',
  website: 'website',
  linkingPage: 'linking page',
};

/** Whether the badge is in one of the pages that show data: the review address, the website or the linking page. */
export function judgeBadge(pages: readonly FoundPage[]): Finding {
  const read = pages.flatMap(({ page, facts }) => {
    const name = pageNames[page];
    return facts !== null && name !== undefined ? [{ name, badge: facts.badge }] : [];
  });
  const complete = read.find(({ badge }) => badge === 'complete');
  if (complete) return passed(`The ${complete.name} has the placeholder and the script.`);
  if (read.length === 0) return unread(pages[0]);
  const incomplete = read.find(({ badge }) => badge === 'incomplete');
  if (incomplete) {
    const advice = 'Copy the placeholder and the script from the kit, unchanged.';
    return { outcome: 'failed', ...withAdvice(`The ${incomplete.name} has only part of the badge.`, advice) };
  }
  return failed(
    `The HTML of the ${read.map(({ name }) => name).join(' and the ')} has no badge. If a script adds it, reviewers look at the page.`,
  );
}

/** Whether the linking page has a field that keeps leading zeroes. */
export function judgeCodeField(page: FoundPage | undefined): Finding {
  if (!page?.facts) return unread(page);
  const { codeField } = page.facts;
  if (codeField === 'text') return passed('The page has a text field for the code.');
  return codeField === 'number'
    ? { outcome: 'failed', ...withAdvice('The field for the code is a number field, which loses leading zeroes.', 'Use type="text".') }
    : failed('The HTML has no field for a link code. If a script adds it, reviewers look at the page.');
}

/** Whether the linking page links to an address of the profile. */
export function judgeLink(page: FoundPage | undefined, to: 'privacyPolicy' | 'termsOfService' | 'supportEmail'): Finding {
  if (!page?.facts) return unread(page);
  return page.facts.linksTo[to] ? passed('The link is on the page.') : failed(missingLinks[to]);
}

const missingLinks = {
  privacyPolicy: 'The HTML has no link to the privacy policy of the profile. If a script adds it, reviewers look at the page.',
  termsOfService: 'The HTML has no link to the terms of service of the profile. If a script adds it, reviewers look at the page.',
  supportEmail: 'The HTML has no mailto link to the support email of the profile. Another contact that a person answers is just as good.',
} as const;

/** What cannot be found out, because the page was not read. */
function unread(page: FoundPage | undefined): Finding {
  if (page?.unread === 'too_large') return unknown('The page is larger than 512 KiB, so the service did not read it.');
  if (page?.unread === 'compressed') return unknown('The page came compressed, although the service asked for it uncompressed.');
  if (page?.unread === 'not_html') return unknown('The answer is not HTML, so the service did not read it.');
  return unknown('The page was not read, because it did not answer.');
}

const passed = (found: string): Finding => ({ outcome: 'passed', found });
const failed = (found: string): Finding => ({ outcome: 'failed', found });
const unknown = (found: string): Finding => ({ outcome: 'unknown', found });
