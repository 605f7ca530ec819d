import type { EntityManager } from '@mikro-orm/postgresql';
import { isListedSql } from '../integrationStatus.ts';
import type { Environment } from '../../shared/environment.ts';
import type { Cursors } from '../../shared/lists/cursors.ts';
import { page, type Page, type PageRequest } from '../../shared/lists/page.ts';
import type { Scope } from '../../shared/scopes.ts';
import { sql } from '../../shared/sql.ts';
import { slugRefusal } from '../slugRefusal.ts';

/**
 * An integration as the order-tracking service shows it to users: its reviewed profile, with what minor revisions have changed since, and
 * those of its scopes that the client may have.
 */
type CatalogueEntry = {
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
 * Reads index integration_status_slug in its order, and the rest by primary keys and client's unique (integration_id, environment). `m` is
 * the current version where that is a minor revision, so that users write to today's support address.
 */
const catalogueSql = `
select i.id, i.slug, p.version as "profileVersion", p.public_name as "publicName", coalesce(m.public_description, p.public_description) as "publicDescription", p.purpose,
       p.legal_operator_name as "legalOperatorName", p.country, coalesce(m.support_email, p.support_email) as "supportEmail", p.website_url as "websiteUrl",
       p.privacy_policy_url as "privacyPolicyUrl", p.terms_of_service_url as "termsOfServiceUrl", p.order_linking_url as "orderLinkingUrl",
       case when m.version is null then p.donation_url else m.donation_url end as "donationUrl", p.logo_id as "logoId", to_json(array(select s from unnest(p.requested_scopes) s where s = any (k.scopes))) as scopes
  from integration i join profile_version p on p.integration_id = i.id and p.version = i.reviewed_profile_version
  left join profile_version m on m.integration_id = i.id and m.version = i.profile_version and m.minor_revision
  join client k on k.integration_id = i.id and k.environment = $1
 where ${isListedSql('i')} and i.slug ~>~ $2 order by i.slug using ~<~ limit $3`;

/**
 * A page of the integrations that users can link: active ones with a client in the environment, by slug (docs/specification.md,
 * “Catalogue”). What they say about themselves comes from the reviewed profile version, except for what minor revisions may change. Errors:
 * invalid_request.
 */
export function catalogue(
  em: EntityManager,
  { environment, ...request }: { environment: Environment } & PageRequest,
): Promise<Page<CatalogueEntry>> {
  return page(request, { cursors, read: (count, after) => sql<CatalogueEntry>(em, catalogueSql, [environment, after ?? '', count]) });
}

const cursors: Cursors<CatalogueEntry, string> = {
  write: ({ slug }) => slug,
  read: (text) => (slugRefusal(text) === null ? text : undefined),
};
