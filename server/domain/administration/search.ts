import type { EntityManager } from '@mikro-orm/postgresql';
import { refuseInvalid } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import { hasControls } from '../shared/writtenText.ts';

/** An identifier of ours, whole: a prefix and 26 characters. */
const identifier = /^[a-z]{3,4}_[0-9a-hjkmnp-tv-z]{26}$/;

/** Where the integration of an identifier is found, by its prefix; whatever else has one is looked up among the subjects of the trail. */
const integrationOf: Readonly<Record<string, string>> = {
  int: 'select id from integration where id = $1',
  opr: 'select id from integration where operator_id = $1 order by created_at desc limit $2',
  cli: 'select integration_id as id from client where id = $1',
  crt: 'select k.integration_id as id from certificate c join client k on k.no = c.client_no where c.id = $1',
  sub: 'select integration_id as id from review_submission where id = $1',
};
const bySubjectSql = `select integration_id as id from audit_entry where subject_id = any (array[$1::text]) and integration_id is not null
 order by subject_id, occurred_at desc, id desc limit 1`;

/** A fingerprint or serial in hexadecimal digits, with or without colons. By the unique indexes of certificate. */
const byCertificateSql = `select k.integration_id as id from certificate c join client k on k.no = c.client_no
 where c.fingerprint_sha256 = $1 or c.id in (select id from certificate where serial = $1 limit $2) limit $2`;

/** By the trigrams of integration_slug_words, profile_version_name_words and operator_address_words. */
const bySlugSql = 'select id from integration where slug like $1 limit $2';
const byNameSql = `
select i.id from profile_version v join integration i on i.id = v.integration_id and i.profile_version = v.version
 where lower(v.public_name) like $1 limit $2`;
const byAddressSql = 'select i.id from operator o join integration i on i.operator_id = o.id where o.email_key like $1 limit $2';
const ownersSql = 'select distinct operator_id as id from integration where id = any ($1::text[]) limit $2';
const operatorsByAddressSql = 'select id from operator where email_key like $1 limit $2';

/** Throws invalid_request where a search is too long, or has characters that nobody sees. */
export function refuseBadSearch(text: string, path: string): void {
  if (text.length <= limits.searchLength && !hasControls(text, { lines: false })) return;
  refuseInvalid([{ path, message: `A search can have at most ${limits.searchLength} characters, all of them visible.` }]);
}

/**
 * The integrations that a text names: a part of their name or slug, a part of their owner's address with the @ in it, or any whole
 * identifier that belongs to them (their own, their owner's, a client's, a certificate's with serial and fingerprint, a connection's, a
 * revocation's, a submission's). Of more than 10,000, some.
 */
export async function integrationsNamed(em: EntityManager, search: string): Promise<string[]> {
  const words = search.trim().toLowerCase();
  const text = clientIn(words) ?? words;
  const most = limits.searchMatches;
  const rows = async (statement: string, ...parameters: unknown[]) =>
    (await sql<{ id: string }>(em, statement, parameters)).map(({ id }) => id);
  if (identifier.test(text)) {
    const statement = integrationOf[text.slice(0, 3)];
    if (statement === undefined) return rows(bySubjectSql, text);
    return rows(statement, text, ...(statement.includes('$2') ? [most] : []));
  }
  const digits = text.replaceAll(':', '');
  if (/^[0-9a-f]{16,64}$/.test(digits)) return rows(byCertificateSql, digits, most);
  const part = partOf(text);
  if (text.includes('@')) return rows(byAddressSql, part, most);
  return [...new Set([...(await rows(bySlugSql, part, most)), ...(await rows(byNameSql, part, most))])].slice(0, most);
}

/** The accounts that a text names: a part of their address, any identifier of theirs, or what names an integration of theirs. */
export async function operatorsNamed(em: EntityManager, search: string): Promise<string[]> {
  const text = search.trim().toLowerCase();
  if (text.startsWith('opr_') && identifier.test(text)) return [text];
  const most = limits.searchMatches;
  const own = identifier.test(text) ? [] : await sql<{ id: string }>(em, operatorsByAddressSql, [partOf(text), most]);
  const owners = await sql<{ id: string }>(em, ownersSql, [await integrationsNamed(em, text), most]);
  return [...new Set([...own, ...owners].map(({ id }) => id))].slice(0, most);
}

/** The client in a certificate's common name. */
function clientIn(text: string): string | null {
  return /^svc:(?:sandbox|production):(cli_[0-9a-z]{26})$/.exec(text)?.[1] ?? null;
}

/**
 * A pattern for what contains the text, in which nothing of the text is a wildcard. Fewer than three characters have no trigram: they are
 * looked for at the beginning.
 */
export function partOf(text: string): string {
  return `${text.length < 3 ? '' : '%'}${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
