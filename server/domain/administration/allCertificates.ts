import type { EntityManager } from '@mikro-orm/postgresql';
import { Certificate, certificateSources, type CertificateSource } from '../certificate/Certificate.ts';
import type { ShownCertificateStatus } from '../certificate/certificateStatus.ts';
import { commonNameOf } from '../client/commonName.ts';
import type { FieldError } from '../shared/DomainError.ts';
import type { Environment } from '../shared/environment.ts';
import { hasIdForm } from '../shared/ids.ts';
import { certificateLimits } from '../certificate/certificateLimits.ts';
import { timeCursors } from '../shared/lists/cursors.ts';
import { inOrder, page, type Page, type PageRequest } from '../shared/lists/page.ts';
import { certificatesNamed, refuseBadSearch } from '../shared/lists/search.ts';
import { sql } from '../shared/sql.ts';
import { certificateListSql, certificateView, type CertificateView } from './certificateList.sql.ts';
import { certificateFacts } from '../certificate/certificateFacts.ts';
import { factsIn } from '../shared/lifecycle.ts';

type CertificateFilter = {
  /** What names certificates: see `certificatesNamed`. */
  readonly search?: string | null;
  readonly status?: ShownCertificateStatus | null;
  /** Only those in use that stop working within so many days. */
  readonly expiresWithinDays?: number | null;
  readonly source?: CertificateSource | null;
  readonly authorityId?: string | null;
};

/** A certificate with what it belongs to. */
export type ListedCertificate = {
  readonly id: string;
  readonly certificate: Certificate;
  readonly clientId: string;
  readonly environment: Environment;
  readonly commonName: string;
  readonly integrationId: string;
};

type Asked = { readonly filter: CertificateFilter; readonly now: Date } & PageRequest;

/** A certificate lives for 90 days, so everything in use stops working within them. */
const mostDays = certificateLimits.certificateLifetime / (24 * 60 * 60 * 1000);

/**
 * A page of everybody's certificates for administrators, newest request first; those in use and those that have expired in the order of
 * their ends, the nearest to now first. Errors: invalid_request.
 */
export function allCertificates(em: EntityManager, { filter, now, ...request }: Asked): Promise<Page<ListedCertificate>> {
  const search = filter.search?.trim() ?? '';
  const view = certificateView({ status: filter.status ?? null, days: filter.expiresWithinDays ?? null }, now);
  return page(request, {
    cursors: cursorsOf(view),
    errors: filterErrors(filter),
    read: async (count, last) => {
      refuseBadSearch(search, 'filter.search');
      const { text, values } = certificateListSql({
        view,
        named: search === '' ? null : await certificatesNamed(em, search),
        sources: filter.source ? [filter.source] : certificateSources,
        authorities: filter.authorityId ? [filter.authorityId] : await authoritiesIn(em, view),
        last,
        count,
      });
      return listed(em, await sql<{ id: string; at?: Date }>(em, text, values));
    },
  });
}

function filterErrors({ status, expiresWithinDays: days }: CertificateFilter): FieldError[] {
  if (typeof days !== 'number') return [];
  const path = 'filter.expiresWithinDays';
  if (days < 1 || days > mostDays) return [{ path, message: `Choose 1 to ${mostDays} days; no certificate lives longer.` }];
  if (status && factsIn(certificateFacts, status).stage !== 'working')
    return [{ path, message: 'Only issued certificates have an end to filter by. Leave out the other statuses.' }];
  return [];
}

/** All that can stand in a list, as `certificateListSql` names them: whatever is issued has an authority. */
async function authoritiesIn(em: EntityManager, { by }: CertificateView): Promise<string[]> {
  const issuing = await sql<{ id: string }>(em, `select id from certificate_authority where kind = 'issuing' order by id`);
  return [...issuing.map(({ id }) => id), ...(by === 'age' ? [''] : [])];
}

/** The place of a certificate, by the time that the list is ordered by. A cursor of the other order is not one of this list's. */
function cursorsOf({ by }: CertificateView) {
  return timeCursors(
    ({ certificate: { requestedAt, usableUntil } }: ListedCertificate) => (by === 'end' && usableUntil ? usableUntil : requestedAt),
    ({ id }) => [by, id],
    (rest): [string] | undefined => (rest.startsWith(`${by} `) && hasIdForm('crt', rest.slice(4)) ? [rest.slice(4)] : undefined),
  );
}

/** By primary keys. */
const ownersSql = `
select x.id, k.id as "clientId", k.environment, k.integration_id as "integrationId"
  from certificate x join client k on k.number = x.client_number where x.id = any ($1::text[])`;
type Owners = Pick<ListedCertificate, 'id' | 'clientId' | 'environment' | 'integrationId'>;

async function listed(em: EntityManager, found: readonly { readonly id: string }[]): Promise<ListedCertificate[]> {
  const ids = found.map(({ id }) => id);
  const certificates = new Map((await em.find(Certificate, { id: { $in: ids } })).map((each) => [each.id, each]));
  const rows = (await sql<Owners>(em, ownersSql, [ids])).flatMap((row) => {
    const certificate = certificates.get(row.id);
    return certificate ? [{ ...row, certificate, commonName: commonNameOf({ environment: row.environment, id: row.clientId }) }] : [];
  });
  return inOrder(ids, rows);
}
