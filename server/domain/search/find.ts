import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../account/attempts.ts';
import { commonNameOf } from '../client/commonName.ts';
import type { OperatorActor } from '../shared/actor.ts';
import type { Environment } from '../shared/environment.ts';
import { partOf, refuseBadSearch } from '../shared/lists/search.ts';
import { sql } from '../shared/sql.ts';
import {
  certificatesByDigits,
  operatorsByAddress,
  operatorsById,
  searchesById,
  tokensById,
  type OwnedRow,
  type OwnedSearch,
} from './searchHits.sql.ts';
import type { SearchHit } from './searchHit.ts';
import { integrationsById, integrationsByWords } from './integrationHits.sql.ts';
import { readText, type Asked } from './readText.ts';
import { explainNoHits, type NoHits } from './noHits.ts';

type Reader = Pick<OperatorActor, 'operatorId' | 'roles'>;
type Search = { readonly reader: Reader; readonly text: string; readonly now: Date };

/** What was found, best first, and, where that is nothing, what to say about it. */
export type FindResult = { readonly found: readonly SearchHit[]; readonly unfound: NoHits | null };

/**
 * Finds what a text names and its reader may see: their own things by identifier (whole, or from eight characters on), certificates by
 * serial, fingerprint and common name, integrations by slug and name. Administrators find everybody’s, and accounts by their address;
 * reviewers find submissions and what was submitted. What others have reads as nothing. Errors: invalid_request, rate_limit_exceeded.
 */
export async function find(em: EntityManager, { reader, text, now }: Search): Promise<FindResult> {
  refuseBadSearch(text, 'text');
  await takeAttempt(em, { kind: 'find_operator', source: reader.operatorId }, now);
  const asked = readText(text);
  const found = await whatIsNamed(em, asked, reader, now);
  return { found, unfound: found.length === 0 ? explainNoHits(asked) : null };
}

async function whatIsNamed(em: EntityManager, asked: Asked, reader: Reader, now: Date): Promise<SearchHit[]> {
  const administrator = reader.roles.includes('administrator');
  switch (asked.by) {
    case 'id':
      return byId(em, asked, reader, now);
    case 'digits': {
      const found = await owned(em, certificatesByDigits, [asked.digits, asked.digits], reader, now);
      // A slug can consist of such letters, too.
      return found.length > 0 ? found : byWords(em, asked.digits, reader);
    }
    case 'address':
      return administrator
        ? (await sql<OperatorRow>(em, operatorsByAddress, [partOf(asked.text)])).map((row) => operatorHit(row, reader))
        : [];
    case 'words':
      return byWords(em, asked.text, reader);
    default:
      return [];
  }
}

async function byId(em: EntityManager, { prefix, from, to }: Asked & { by: 'id' }, reader: Reader, now: Date): Promise<SearchHit[]> {
  const { operatorId, roles } = reader;
  const administrator = roles.includes('administrator');
  if (prefix === 'int') {
    const rows = await sql<IntegrationRow>(em, integrationsById, [operatorId, administrator, roles.includes('reviewer'), from, to]);
    return rows.map((row) => integrationHit(row, reader));
  }
  if (prefix === 'opr')
    return (await sql<OperatorRow>(em, operatorsById, [from, to, operatorId, administrator])).map((row) => operatorHit(row, reader));
  if (prefix === 'svt') return administrator ? (await sql<TokenRow>(em, tokensById, [from, to])).map((row) => tokenHit(row, now)) : [];
  const search = searchesById[prefix];
  return search ? owned(em, search, [from, to], reader, now) : [];
}

async function byWords(em: EntityManager, text: string, reader: Reader): Promise<SearchHit[]> {
  const [administrator, reviewer] = [reader.roles.includes('administrator'), reader.roles.includes('reviewer')];
  const staff = administrator || reviewer;
  const part = partOf(text);
  const values = [reader.operatorId, administrator, reviewer, part, text, ...(staff ? [part.slice(1)] : [])];
  const rows = await sql<IntegrationRow>(em, integrationsByWords(staff), values);
  return rows.map((row) => integrationHit(row, reader));
}

/** The clocks of two processes differ by less. */
const ahead = 60_000;

async function owned(
  em: EntityManager,
  search: OwnedSearch,
  [from, to]: readonly [string, string],
  reader: Reader,
  now: Date,
): Promise<SearchHit[]> {
  const everybodys = search.staff.some((role) => reader.roles.includes(role));
  const times = search.kept === undefined ? [] : [new Date(now.getTime() - search.kept + 1), new Date(now.getTime() + ahead)];
  const rows = await sql<OwnedRow>(em, search.text, [from, to, reader.operatorId, everybodys, ...times]);
  return rows.map((row) => ({
    ...nothing,
    ...whatItIs(search, row, now),
    view: row.own ? 'owner' : (search.staff.findLast((role) => reader.roles.includes(role)) ?? 'owner'),
    environment: row.environment ?? null,
    integration: { slug: row.slug, publicName: row.publicName },
    endpointId: row.endpointId ?? null,
  }));
}

/** An event has no page of its own, so it is found as each of its deliveries, if there are any. */
function whatItIs({ kind, stateOf }: OwnedSearch, row: OwnedRow, now: Date): Pick<SearchHit, 'kind' | 'id' | 'name' | 'state'> {
  const { id, deliveryId, environment, name = null, status = null } = row;
  const delivered = kind === 'event' && typeof deliveryId === 'string';
  return {
    kind: delivered ? 'delivery' : kind,
    id: delivered ? deliveryId : id,
    name: kind === 'client' && environment ? commonNameOf({ environment, id }) : name,
    state: stateOf?.(row, now) ?? status,
  };
}

const nothing = { name: null, environment: null, state: null, integration: null, endpointId: null, submissionId: null } as const;

type IntegrationRow = {
  readonly id: string;
  readonly slug: string;
  readonly status: string;
  readonly publicName: string;
  readonly own: boolean;
  readonly submissionId: string | null;
};

function integrationHit({ id, slug, status, publicName, own, submissionId }: IntegrationRow, { roles }: Reader): SearchHit {
  const view = own ? 'owner' : roles.includes('administrator') ? 'administrator' : 'reviewer';
  return { ...nothing, kind: 'integration', id, view, name: publicName, state: status, integration: { slug, publicName }, submissionId };
}

type OperatorRow = {
  readonly id: string;
  readonly name: string | null;
  readonly lockedAt: Date | null;
  readonly deletedAt: Date | null;
};

/** Somebody’s own account leads to their own page only if they are no administrator, who see all accounts alike. */
function operatorHit({ id, name, lockedAt, deletedAt }: OperatorRow, { roles }: Reader): SearchHit {
  const state = deletedAt ? 'deleted' : lockedAt ? 'locked' : null;
  return { ...nothing, kind: 'operator', id, view: roles.includes('administrator') ? 'administrator' : 'owner', name, state };
}

type TokenRow = {
  readonly id: string;
  readonly name: string;
  readonly environment: Environment;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
};

function tokenHit({ id, name, environment, expiresAt, revokedAt }: TokenRow, now: Date): SearchHit {
  const state = revokedAt ? 'revoked' : expiresAt <= now ? 'expired' : 'valid';
  return { ...nothing, kind: 'service_token', id, view: 'administrator', name, environment, state };
}
