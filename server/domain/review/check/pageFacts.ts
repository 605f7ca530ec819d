import { setImmediate } from 'node:timers/promises';
import { parseEmail } from '../../account/emailAddress.ts';
import type { ProfilePages } from './checkedPages.ts';
import { type HtmlElement, readElements } from './readElements.ts';

/** What a check looks for in the HTML of a page. Nothing else of the page is kept. */
export type PageFacts = {
  /** The footer badge: its placeholder and its script, with the attributes that the portal supplies; or only part of it. */
  readonly badge: 'complete' | 'incomplete' | 'absent';
  /** The field for the link code: one for text, one for numbers, which loses leading zeroes, or none. */
  readonly codeField: 'text' | 'number' | 'absent';
  /** Whether it links to the addresses of the profile. */
  readonly linksTo: { readonly privacyPolicy: boolean; readonly termsOfService: boolean; readonly supportEmail: boolean };
};

const wanted = new Set([
  'data-svc-attribution',
  'defer',
  'href',
  'id',
  'maxlength',
  'name',
  'pattern',
  'placeholder',
  'aria-label',
  'referrerpolicy',
  'src',
  'type',
]);

/** Links that are parsed before other work has its turn. An address of 2,048 characters at an international name takes some 30 µs. */
const linksAtOnce = 250;

/**
 * Looks for the badge, the code field and the links of this profile in the HTML of the page at `url`. Other work has its turn in between, because
 * parsing thousands of addresses takes long.
 */
export async function pageFacts(html: string, url: string, profile: ProfilePages): Promise<PageFacts> {
  const elements = readElements(html, wanted);
  const links = new Set(elements.flatMap(({ name, attributes }) => (name === 'a' ? [attributes.get('href')?.trim() ?? ''] : [])));
  const mailboxes = new Set<string>();
  const addresses = new Set<string>();
  let parsed = 0;
  for (const link of links) {
    const mailbox = mailboxOf(link);
    if (mailbox !== undefined) mailboxes.add(mailbox);
    const address = mailbox === undefined ? comparable(link, url) : null;
    if (address !== null) addresses.add(address);
    if ((parsed += 1) % linksAtOnce === 0) await setImmediate();
  }
  return {
    badge: badgeOf(elements),
    codeField: codeFieldOf(elements),
    linksTo: {
      privacyPolicy: addresses.has(comparable(profile.privacyPolicyUrl, url) ?? ''),
      termsOfService: addresses.has(comparable(profile.termsOfServiceUrl, url) ?? ''),
      supportEmail: mailboxes.has(parseEmail(profile.supportEmail)?.toLowerCase() ?? ''),
    },
  };
}

function badgeOf(elements: readonly HtmlElement[]): PageFacts['badge'] {
  const placeholder = elements.some(({ attributes }) => attributes.has('data-svc-attribution'));
  const scripts = elements.filter(
    ({ name, attributes }) => name === 'script' && /\/svc-data-credit-v1\.js(?:[?#]|$)/.test(attributes.get('src') ?? ''),
  );
  const asSupplied = scripts.some(({ attributes }) => attributes.has('defer') && attributes.get('referrerpolicy') === 'no-referrer');
  if (placeholder && asSupplied) return 'complete';
  return placeholder || scripts.length > 0 ? 'incomplete' : 'absent';
}

const textTypes = new Set(['text', 'tel', 'search', '']);

function codeFieldOf(elements: readonly HtmlElement[]): PageFacts['codeField'] {
  const types = elements.filter(isCodeField).map(({ attributes }) => (attributes.get('type') ?? '').toLowerCase());
  if (types.some((type) => textTypes.has(type))) return 'text';
  return types.includes('number') ? 'number' : 'absent';
}

/** It is called a code, or takes ten characters. */
function isCodeField({ name, attributes }: HtmlElement): boolean {
  if (name !== 'input') return false;
  const called = ['name', 'id', 'aria-label', 'placeholder'].some((each) => attributes.get(each)?.toLowerCase().includes('code'));
  return called || attributes.get('maxlength') === '10' || Boolean(attributes.get('pattern')?.includes('{10}'));
}

/** An address without what makes no difference to where it leads, or null if it is none. */
function comparable(link: string, base: string): string | null {
  const url = URL.parse(link, base);
  if (!url) return null;
  const { origin, pathname, search } = url;
  return `${origin}${pathname.replace(/\/$/, '')}${search}`;
}

function mailboxOf(link: string): string | undefined {
  const [, mailbox] = /^mailto:([^?]+)/i.exec(link) ?? [];
  return mailbox?.toLowerCase();
}
