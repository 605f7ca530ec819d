import type { EntityManager } from '@mikro-orm/postgresql';
import { type Evidence, evidenceOf } from '../../evidence/evidenceOf.ts';
import { currentTerms } from '../../integration/terms/acceptTerms.ts';
import { isOver } from '../../webhook/checkTimes.ts';
import { reviewLimits } from '../reviewLimits.ts';
import { sql } from '../../shared/sql.ts';
import { addressesOf, type ProfilePages } from './checkedPages.ts';
import { judgeAnswer, judgeBadge, judgeCodeField, judgeLink } from './judgePages.ts';
import type { FoundPage } from './runPageCheck.ts';
import {
  type Finding,
  type SubmissionCheck,
  submissionCheckNames,
  submissionChecks,
  type SubmissionCheckName,
  withAdvice,
} from './submissionChecks.ts';

/** What is submitted, or would be. */
export type CheckedVersion = {
  readonly integrationId: string;
  readonly version: number;
  /** Where reviewers see the integration; null takes the address that was checked last. */
  readonly reviewUrl: string | null;
};

type Row = ProfilePages & {
  readonly place: number;
  readonly logo: boolean;
  /** Whether the sandbox client may acknowledge deletions. */
  readonly acknowledges: boolean;
  readonly acceptedTerms: number | null;
  readonly pages: readonly FoundPage[] | null;
  readonly reviewUrl: string | null;
  readonly requestedAt: Date | null;
  readonly begunAt: Date | null;
  readonly finishedAt: Date | null;
  readonly checkedAt: Date | null;
};

/** By the primary keys of profile_version, integration, page_check and terms_acceptance, and the unique index (integration_id, environment). */
const factsSql = `
select wanted.place::int as place, v.website_url as "websiteUrl", v.privacy_policy_url as "privacyPolicyUrl",
       v.terms_of_service_url as "termsOfServiceUrl", v.order_linking_url as "orderLinkingUrl", v.donation_url as "donationUrl",
       v.support_email as "supportEmail", v.logo_id is not null as logo,
       exists (select 1 from client k where k.integration_id = wanted.id and k.environment = 'sandbox' and 'revocations.ack' = any (k.scopes)) as acknowledges,
       (select max(a.terms_version) from terms_acceptance a where a.operator_id = i.operator_id) as "acceptedTerms",
       c.pages, coalesce(wanted.review_url, c.review_url) as "reviewUrl", c.requested_at as "requestedAt",
       c.begun_at as "begunAt", c.finished_at as "finishedAt", c.checked_at as "checkedAt"
  from unnest($1::text[], $2::int[], $3::text[]) with ordinality wanted(id, version, review_url, place)
  join integration i on i.id = wanted.id
  join profile_version v on v.integration_id = wanted.id and v.version = wanted.version
  left join page_check c on c.integration_id = wanted.id and c.profile_version = wanted.version`;

/**
 * What the service knows about each of these versions before a person reads it: about its pages as of their last check, about everything
 * else as of now.
 */
export async function submissionChecksOf(em: EntityManager, wanted: readonly CheckedVersion[], now: Date): Promise<SubmissionCheck[][]> {
  const rows = await sql<Row>(em, factsSql, [
    wanted.map(({ integrationId }) => integrationId),
    wanted.map(({ version }) => version),
    wanted.map(({ reviewUrl }) => reviewUrl),
  ]);
  const { version: terms } = await currentTerms(em);
  const evidence = await evidenceOf(
    em,
    wanted.map(({ integrationId }) => integrationId),
  );
  return wanted.map((_, index) => {
    const row = rows.find(({ place }) => place === index + 1);
    return row ? checksOf(row, { terms, evidence: evidence[index] ?? [], now }) : [];
  });
}

function checksOf(row: Row, { terms, evidence, now }: { terms: number; evidence: readonly Evidence[]; now: Date }): SubmissionCheck[] {
  const known = { ...ownFindings(row, terms, evidence), ...pageFindings(row, now) };
  const checking = row.requestedAt !== null && row.finishedAt === null && !isOver(row, reviewLimits.pageCheckTimes, now);
  return submissionCheckNames.flatMap((check) => {
    const finding = known[check];
    if (!finding) return [];
    const ofPages = finding.checkedAt !== 'now';
    return [
      {
        check,
        ...submissionChecks[check],
        ...finding,
        checkedAt: finding.checkedAt === 'now' ? now : finding.checkedAt,
        checking: ofPages && checking,
      },
    ];
  });
}

type Words = Omit<Finding, 'outcome'>;
type Known = Partial<Record<SubmissionCheckName, Finding & { readonly checkedAt: Date | 'now' | null }>>;

/** What the service knows by itself, at this moment. */
function ownFindings({ acceptedTerms, logo, acknowledges }: Row, terms: number, evidence: readonly Evidence[]): Known {
  const unseen = evidence.filter(({ seen }) => seen === null);
  const acknowledged = evidence.some(({ kind, seen }) => kind === 'tombstone_acknowledged' && seen !== null);
  const now = (passed: boolean, ifPassed: Words, otherwise: Words) =>
    ({ outcome: passed ? 'passed' : 'failed', ...(passed ? ifPassed : otherwise), checkedAt: 'now' }) as const;
  return {
    terms: now(
      acceptedTerms === terms,
      {
        found: `Version ${terms} of the Integration Terms is accepted.`,
        forReviewers: `The owner has accepted version ${terms} of the Integration Terms, the current one.`,
      },
      {
        found: `Accept version ${terms} of the Integration Terms first.`,
        forReviewers: `The owner has accepted ${acceptedTerms === null ? 'no version' : `version ${acceptedTerms}`} of the Integration Terms; version ${terms} is current.`,
      },
    ),
    logo: now(
      logo,
      { found: 'The profile has a logo.' },
      { found: 'Upload a logo on the profile page first.', forReviewers: 'The profile has no logo.' },
    ),
    deletion: now(
      acknowledged,
      { found: 'A deletion in the sandbox has been acknowledged, or recorded in the portal, in time.' },
      withAdvice(
        'No deletion in the sandbox has been acknowledged or recorded in time yet.',
        `Revoke a share on the page Test data, delete your copies, and ${acknowledges ? 'acknowledge the deletion' : 'record it on the page Deletions'}.`,
      ),
    ),
    evidence: now(
      unseen.length === 0,
      { found: `All ${evidence.length} kinds have been observed in the sandbox.` },
      {
        found: `${evidence.length - unseen.length} of ${evidence.length} kinds have been observed. Not yet: ${fewOf(unseen.map(({ title }) => title))}.`,
      },
    ),
  };
}

/** The first three, and how many there are besides. */
function fewOf(titles: readonly string[]): string {
  const more = titles.length - 3;
  return more > 1 ? `${titles.slice(0, 3).join(', ')} and ${more} more` : titles.join(', ');
}

/** What the last check of the pages found. What it found at another address says nothing. */
function pageFindings(row: Row, now: Date): Known {
  const addresses = addressesOf(row, row.reviewUrl);
  const pages = addresses.map(({ page, url }) => row.pages?.find((each) => each.page === page && each.url === url));
  const found = pages.filter((page) => page !== undefined);
  const { checkedAt } = row;
  const say = (given: boolean, judge: () => Finding) => {
    if (isOver(row, reviewLimits.pageCheckTimes, now)) return { outcome: 'unknown' as const, found: abandoned, checkedAt };
    return given ? { ...judge(), checkedAt } : { outcome: 'unknown' as const, found: notYet, checkedAt: null };
  };
  const answers = addresses.map(({ page }, index) => {
    const there = pages[index];
    return [page, say(there !== undefined, () => (there ? judgeAnswer(there) : neverChecked))] as const;
  });
  const linking = found.find(({ page }) => page === 'linkingPage');
  const given = linking !== undefined;
  return {
    ...Object.fromEntries(answers),
    footerBadge: say(given, () => judgeBadge(found.toSorted((a) => (a.page === 'reviewAddress' ? -1 : 0)))),
    codeField: say(given, () => judgeCodeField(linking)),
    privacyPolicyLinked: say(given, () => judgeLink(linking, 'privacyPolicy')),
    termsOfServiceLinked: say(given, () => judgeLink(linking, 'termsOfService')),
    supportLinked: say(given, () => judgeLink(linking, 'supportEmail')),
  };
}

const notYet = 'Not checked yet.';
const neverChecked: Finding = { outcome: 'unknown', found: notYet };
const abandoned = 'The check did not finish, because no worker was running or one was stopped. Check again.';
