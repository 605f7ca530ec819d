import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../client/Client.ts';
import { refuseInvalid } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import type { Scope } from '../shared/scopes.ts';
import { sql } from '../shared/sql.ts';
import { slugRefusal } from './profileRules.ts';

/**
 * An integration as users of the order-tracking service are shown it: its reviewed profile, with what minor revisions have changed since,
 * and what the client may be given.
 */
export type CatalogueEntry = {
  readonly id: string;
  readonly slug: string;
  readonly profileVersion: number;
  readonly publicName: string;
  readonly publicDescription: string;
  readonly purpose: string;
  readonly legalOperatorName: string;
  readonly country: string;
  readonly supportEmail: string;
  readonly websiteUrl: string;
  readonly privacyPolicyUrl: string;
  readonly termsOfServiceUrl: string;
  readonly orderLinkingUrl: string;
  readonly donationUrl: string | null;
  readonly scopes: readonly Scope[];
  readonly logoId: string | null;
};

/**
 * Index integration_status_slug in its order; the rest by primary keys and client's unique (integration_id, environment). `m` is the current
 * version where it is a minor revision: a user writes to the support address of today.
 */
const catalogueSql = `
select i.id, i.slug, p.version as "profileVersion", p.public_name as "publicName", coalesce(m.public_description, p.public_description) as "publicDescription", p.purpose,
       p.legal_operator_name as "legalOperatorName", p.country, coalesce(m.support_email, p.support_email) as "supportEmail", p.website_url as "websiteUrl",
       p.privacy_policy_url as "privacyPolicyUrl", p.terms_of_service_url as "termsOfServiceUrl", p.order_linking_url as "orderLinkingUrl",
       case when m.version is null then p.donation_url else m.donation_url end as "donationUrl", p.logo_id as "logoId", to_json(array(select s from unnest(p.requested_scopes) s where s = any (k.scopes))) as scopes
  from integration i join profile_version p on p.integration_id = i.id and p.version = i.reviewed_profile_version
  left join profile_version m on m.integration_id = i.id and m.version = i.profile_version and m.minor_revision
  join client k on k.integration_id = i.id and k.environment = $1
 where i.status = 'active' and i.slug ~>~ $2 order by i.slug using ~<~ limit $3`;

/**
 * A page of the integrations that users can link: active ones with a client in the environment, by slug (contract, “Tooling”). What they
 * say of themselves is the reviewed profile version, but description, support address and donation page, which minor revisions may change. `after` is the cursor of a former item. Errors: invalid_request.
 */
export async function catalogue(
  em: EntityManager,
  { environment, first, after }: { environment: Environment; first: number; after: string | null },
): Promise<{ items: readonly CatalogueEntry[]; hasNextPage: boolean }> {
  if (first < 1 || first > limits.pageSize) refuseInvalid([{ path: 'first', message: `A page has 1 to ${limits.pageSize} items.` }]);
  const slug = after === null ? '' : Buffer.from(after, 'base64url').toString('utf8');
  if (slug !== '' && slugRefusal(slug) !== null) refuseInvalid([{ path: 'after', message: 'This cursor does not belong to this list.' }]);
  const rows = await sql<CatalogueEntry>(em, catalogueSql, [environment, slug, first + 1]);
  return { items: rows.slice(0, first), hasNextPage: rows.length > first };
}

/** The opaque cursor of an item. */
export function catalogueCursor({ slug }: CatalogueEntry): string {
  return Buffer.from(slug).toString('base64url');
}
