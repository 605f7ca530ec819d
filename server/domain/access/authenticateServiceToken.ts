import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../shared/environment.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import type { ServicePermission } from './servicePermissions.ts';
import { tokenHash } from './ServiceToken.ts';

/** A token that is valid now, with what its requests may do. */
export type AuthenticatedServiceToken = {
  readonly id: string;
  readonly environment: Environment;
  readonly permissions: readonly ServicePermission[];
  /** Whether this use has to be noted with `noteServiceTokenUse`. */
  readonly useToBeNoted: boolean;
};

type Row = { id: string; environment: Environment; permissions: ServicePermission[]; last_used_at: Date | null };

/** The token with this text, or null if it is unknown, expired or revoked. The caller does not learn which. Reads one unique index. */
export async function authenticateServiceToken(em: EntityManager, text: string, now: Date): Promise<AuthenticatedServiceToken | null> {
  const hash = tokenHash(text);
  return hash && goodToken(em, 'token_hash', hash, now);
}

/** A token as it is now, or null if it has expired or been revoked since the request was authenticated. */
export function serviceTokenNow(
  em: EntityManager,
  { id }: AuthenticatedServiceToken,
  now: Date,
): Promise<AuthenticatedServiceToken | null> {
  return goodToken(em, 'id', id, now);
}

async function goodToken(
  em: EntityManager,
  key: 'id' | 'token_hash',
  value: string | Buffer,
  now: Date,
): Promise<AuthenticatedServiceToken | null> {
  const [row] = await sql<Row>(
    em,
    `select id, environment, to_json(permissions) as permissions, last_used_at
       from service_token where ${key} = $1 and revoked_at is null and expires_at > $2`,
    [value, now],
  );
  if (!row) return null;
  const { id, environment, permissions, last_used_at } = row;
  return { id, environment, permissions, useToBeNoted: last_used_at === null || isDue(last_used_at, now) };
}

/** Notes when a token was last used, at most once a minute. Of several requests at the same moment, one writes. */
export async function noteServiceTokenUse(em: EntityManager, id: string, now: Date): Promise<void> {
  await sql(em, 'update service_token set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)', [
    id,
    now,
    new Date(now.getTime() - limits.serviceTokenUseNotedEvery),
  ]);
}

function isDue(lastUsedAt: Date, now: Date): boolean {
  return lastUsedAt.getTime() <= now.getTime() - limits.serviceTokenUseNotedEvery;
}
