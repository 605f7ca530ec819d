import { setImmediate } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { isUnderWay } from '../../webhook/checkTimes.ts';
import type { Clock } from '../../shared/clock.ts';
import { reviewLimits } from '../reviewLimits.ts';
import { sql } from '../../shared/sql.ts';
import type { PageTransport } from '../../webhook/WebhookTransport.ts';
import { addressesOf, type CheckedPage, type ProfilePages } from './checkedPages.ts';
import { type PageFacts, pageFacts } from './pageFacts.ts';
import { type Visit, visitPage } from './visitPage.ts';

/** What was found at one page, as it is stored. */
export type FoundPage = Pick<Visit, 'status' | 'error' | 'ledTo' | 'unread'> & {
  readonly page: CheckedPage;
  /** The address that was checked. */
  readonly url: string;
  /** Null if there was no HTML to read. */
  readonly facts: PageFacts | null;
};

type RunPageCheck = { readonly pageCheckId: string; readonly transport: PageTransport; readonly clock: Clock };
type Asked = ProfilePages & { readonly reviewUrl: string | null };

const beginSql = 'update page_check set begun_at = $2 where id = $1 and begun_at is null and finished_at is null';
const openSql = `
select v.website_url as "websiteUrl", v.privacy_policy_url as "privacyPolicyUrl", v.terms_of_service_url as "termsOfServiceUrl",
       v.order_linking_url as "orderLinkingUrl", v.donation_url as "donationUrl", v.support_email as "supportEmail", c.review_url as "reviewUrl"
  from page_check c join profile_version v on v.integration_id = c.integration_id and v.version = c.profile_version
 where c.id = $1 and ${isUnderWay('c', '$2', reviewLimits.pageCheckTimes)}`;
const finishSql = `update page_check set pages = $2::jsonb, checked_at = $3, finished_at = $3 where id = $1 and finished_at is null`;

/**
 * Visits the pages of a profile version, all at once and each address once, and stores what was found. Nothing but its beginning is
 * written before the last answer. Rejects if this service had to stop, so that the check starts again.
 */
export async function runPageCheck(em: EntityManager, { pageCheckId, transport, clock }: RunPageCheck): Promise<void> {
  const now = clock.now();
  const [asked] = await sql<Asked>(em, openSql, [pageCheckId, now]);
  if (!asked) return;
  await sql(em, beginSql, [pageCheckId, now]);
  const addresses = addressesOf(asked, asked.reviewUrl);
  const visits = new Map<string, Promise<Visit>>();
  for (const { url } of addresses) if (!visits.has(url)) visits.set(url, visitPage(transport, url));
  const found: FoundPage[] = [];
  for (const { page, url } of addresses) {
    const visit = await visits.get(url);
    if (!visit || visit.error === 'interrupted') throw new Error('The check was interrupted, and begins again.');
    const { status, error, ledTo, unread, html } = visit;
    const facts = html === null ? null : await pageFacts(html, visit.url, asked);
    found.push({ page, url, status, error, ledTo, unread, facts });
    // Reading a page holds up everything else in the process.
    await setImmediate();
  }
  await sql(em, finishSql, [pageCheckId, JSON.stringify(found), clock.now()]);
}
