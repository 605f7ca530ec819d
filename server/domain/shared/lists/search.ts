import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../actor.ts';
import { refuseInvalid } from '../DomainError.ts';
import { limits } from '../limits.ts';
import { sql } from '../sql.ts';
import { flawOf, foldText } from '../text/writtenText.ts';

/** One of our identifiers in full: a prefix and 26 characters. */
const identifier = /^[a-z]{3,4}_[0-9a-hjkmnp-tv-z]{26}$/;

/**
 * Where the integration of an identifier is found, by its prefix. Any other identifier is looked up among the subjects of the trail: an
 * index for it would make each share more expensive.
 */
const integrationOf: Readonly<Record<string, string>> = {
  int: 'select id from integration where id = $1',
  opr: 'select id from integration where operator_id = $1 order by created_at desc limit $2',
  cli: 'select integration_id as id from client where id = $1',
  crt: 'select k.integration_id as id from certificate c join client k on k.number = c.client_number where c.id = $1',
  sub: 'select integration_id as id from review_submission where id = $1',
};
const bySubjectSql = `select integration_id as id from audit_entry where subject_id = any (array[$1::text]) and integration_id is not null
 order by subject_id, occurred_at desc, id desc limit 1`;

/** By the indexes of fingerprint and serial. */
const certificatesSql = `
select id from certificate where fingerprint_sha256 = $1 union all (select id from certificate where serial = $1 limit $2)`;
const byCertificateSql = `
select k.integration_id as id from certificate c join client k on k.number = c.client_number where c.id in (${certificatesSql}) limit $2`;
const clientsSql = 'select id from client where integration_id = any ($1::text[]) limit $2';
const clientNumbersSql = 'select number from client where id = $1 or integration_id = any ($2::text[]) limit $3';

/** By the trigrams of integration_slug_words, profile_version_name_words and operator_address_words. */
const bySlugSql = 'select id from integration where slug like $1 limit $2';
const byNameSql = `
select i.id from profile_version v join integration i on i.id = v.integration_id and i.profile_version = v.version
 where folded(v.public_name) like $1 limit $2`;
const byAddressSql = 'select i.id from operator o join integration i on i.operator_id = o.id where o.email_key like $1 limit $2';
const ownersSql = 'select distinct operator_id as id from integration where id = any ($1::text[]) limit $2';
const operatorsByAddressSql = 'select id from operator where email_key like $1 limit $2';

/** Throws invalid_request if a search is too long or contains invisible characters. */
export function refuseBadSearch(text: string, path: string): void {
  if (text.length <= limits.searchLength && flawOf(text, { lines: false }) === null) return;
  refuseInvalid([{ path, message: `A search can have at most ${limits.searchLength} characters, all of them visible.` }]);
}

/**
 * The integrations that a text names: by part of their name or slug, by part of their owner's address that includes the @, or by any whole
 * identifier that belongs to them (their own, their owner's, a client's, a certificate's with serial and fingerprint, a connection's, a
 * revocation's, a submission's). If there are more than 10,000, only some of them.
 */
export async function integrationsNamed(em: EntityManager, search: string): Promise<string[]> {
  const words = foldText(search.trim());
  const text = clientIn(words) ?? words;
  const most = limits.searchMatches;
  const rows = async (statement: string, ...parameters: unknown[]) =>
    (await sql<{ id: string }>(em, statement, parameters)).map(({ id }) => id);
  if (identifier.test(text)) {
    const statement = integrationOf[text.slice(0, 3)];
    if (statement === undefined) return rows(bySubjectSql, text);
    return rows(statement, text, ...(statement.includes('$2') ? [most] : []));
  }
  const digits = certificateDigits(text);
  if (digits !== null) return rows(byCertificateSql, digits, most);
  if (text.includes('@')) return rows(byAddressSql, partOf(text), most);
  return integrationsCalled(em, text);
}

/** By part of the slug or the name. */
async function integrationsCalled(em: EntityManager, text: string): Promise<string[]> {
  const most = limits.searchMatches;
  const found = [];
  for (const statement of [bySlugSql, byNameSql]) found.push(...(await sql<{ id: string }>(em, statement, [partOf(text), most])));
  return [...new Set(found.map(({ id }) => id))].slice(0, most);
}

/**
 * The integrations that a text names to a reviewer. Reviewers see profiles, but no accounts, clients or certificates, so a search finds
 * nothing by these; otherwise it would tell whose integration it is. Reviewers who are also administrators find what `integrationsNamed`
 * finds.
 */
export async function integrationsNamedTo(em: EntityManager, { roles }: Pick<OperatorActor, 'roles'>, search: string): Promise<string[]> {
  const text = foldText(search.trim());
  if (roles.includes('administrator') || (identifier.test(text) && /^(int|sub)_/.test(text))) return integrationsNamed(em, text);
  return identifier.test(text) ? [] : integrationsCalled(em, text);
}

/**
 * The accounts that a text names: by part of their address, by any of their identifiers, or by what names one of their integrations. A page
 * that keeps the search in its own address looks for email addresses only if they include the `@`.
 */
export async function operatorsNamed(
  em: EntityManager,
  search: string,
  addresses: 'by any part' | 'with the @' = 'by any part',
): Promise<string[]> {
  const text = foldText(search.trim());
  if (text.startsWith('opr_') && identifier.test(text)) return [text];
  const most = limits.searchMatches;
  const none = identifier.test(text) || (addresses === 'with the @' && !text.includes('@'));
  const own = none ? [] : await sql<{ id: string }>(em, operatorsByAddressSql, [partOf(text), most]);
  const owners = await sql<{ id: string }>(em, ownersSql, [await integrationsNamed(em, text), most]);
  return [...new Set([...own, ...owners].map(({ id }) => id))].slice(0, most);
}

/**
 * The identifiers of what administrators call by this text (`namesOf`): accounts by part of their address that includes the @, integrations
 * with their clients by part of the name or slug, certificates by serial or fingerprint, and clients by common name.
 */
export async function thingsNamed(em: EntityManager, search: string): Promise<string[]> {
  const text = foldText(search.trim());
  const client = clientIn(text);
  if (client !== null) return [client];
  if (identifier.test(text)) return [];
  if (text.includes('@')) return operatorsNamed(em, text);
  const most = limits.searchMatches;
  const digits = certificateDigits(text);
  const certificates = digits === null ? [] : await sql<{ id: string }>(em, certificatesSql, [digits, most]);
  const integrations = await integrationsCalled(em, text);
  const clients = await sql<{ id: string }>(em, clientsSql, [integrations, most]);
  return [...certificates.map(({ id }) => id), ...integrations, ...clients.map(({ id }) => id)];
}

/** What a text names among certificates: single ones, and all those of some clients. */
export type NamedCertificates = { readonly certificateIds: readonly string[]; readonly clientNumbers: readonly number[] };

/**
 * The certificates that a text names: one by its identifier, serial or fingerprint, also as openssl prints these; otherwise those of a
 * client, by its identifier or common name, or of the integrations that the text names (`integrationsNamed`).
 */
export async function certificatesNamed(em: EntityManager, search: string): Promise<NamedCertificates> {
  const text = foldText(search.trim());
  if (text.startsWith('crt_') && identifier.test(text)) return { certificateIds: [text], clientNumbers: [] };
  const most = limits.searchMatches;
  const digits = certificateDigits(text);
  if (digits !== null) {
    const found = await sql<{ id: string }>(em, certificatesSql, [digits, most]);
    return { certificateIds: found.map(({ id }) => id), clientNumbers: [] };
  }
  const client = text.startsWith('cli_') ? text : clientIn(text);
  const integrations = client === null ? await integrationsNamed(em, text) : [];
  const clients = await sql<{ number: number }>(em, clientNumbersSql, [client, integrations, most]);
  return { certificateIds: [], clientNumbers: clients.map(({ number }) => number) };
}

/** The service tokens with this text in their name, or with this identifier. By service_token_words, or the primary key. */
export async function tokensNamed(em: EntityManager, search: string): Promise<string[]> {
  const text = foldText(search.trim());
  const byName = 'select id from service_token where folded(name) like $1 or id = $2 limit $3';
  return (await sql<{ id: string }>(em, byName, [partOf(text), text, limits.searchMatches])).map(({ id }) => id);
}

/** The part of a text that may be a fingerprint or serial: hexadecimal digits, with or without colons, and with openssl's label or not. */
function certificateDigits(text: string): string | null {
  const digits = text.replace(/^(?:serial|sha256 fingerprint)=/, '').replaceAll(':', '');
  return /^[0-9a-f]{16,64}$/.test(digits) ? digits : null;
}

/** The client that a certificate's common name contains. */
function clientIn(text: string): string | null {
  return /^svc:(?:sandbox|production):(cli_[0-9a-z]{26})$/.exec(text)?.[1] ?? null;
}

/**
 * A pattern for what contains the text, in which no character of the text is a wildcard. Fewer than three characters have no trigram, so
 * they are looked for at the beginning.
 */
export function partOf(text: string): string {
  return `${text.length < 3 ? '' : '%'}${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
