import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { Actor } from '../../shared/actor.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { lockAdvisory } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { thumbprint } from './jwks.ts';

/** How private keys are wrapped for storage. The workers pass it in; nothing else has SIGNING_KEY. */
export type KeyWrapping = {
  wrap(purpose: string, privateKey: Buffer): Buffer;
  unwrap(purpose: string, wrapped: Buffer): Buffer;
};

/** What the private keys are wrapped for. */
const purpose = 'webhook_signing_key';
const service = { type: 'system', name: 'keepSigningKeys' } as const;

/** A key that signs now or waits for its turn. */
export type LiveKey = { readonly id: string; readonly publishedAt: Date; readonly signsFrom: Date | null };
type Row = { readonly id: string; readonly publishedAt: string; readonly signsFrom: string | null };

const liveSql = `
select id, published_at::text as "publishedAt", signs_from::text as "signsFrom" from webhook_signing_key where retired_at is null`;

/** The keys that are not retired, for a transaction that may change them. Such transactions take turns. */
export async function lockLiveKeys(
  tx: EntityManager,
): Promise<{ readonly current: LiveKey | undefined; readonly next: LiveKey | undefined }> {
  await lockAdvisory(tx, 'signingKeys', 'exclusive');
  const rows = await sql<Row>(tx, liveSql);
  const keys = rows.map(({ id, publishedAt, signsFrom }) => ({
    id,
    publishedAt: new Date(publishedAt),
    signsFrom: signsFrom === null ? null : new Date(signsFrom),
  }));
  return { current: keys.find(({ signsFrom }) => signsFrom !== null), next: keys.find(({ signsFrom }) => signsFrom === null) };
}

/** From when on a key that is published may sign: by then, every receiver’s copy of the JWKS has it, however long it was kept. */
export function maySignFrom({ publishedAt }: LiveKey): Date {
  return new Date(publishedAt.getTime() + webhookLimits.signingKeyPublishedBefore);
}

type Turn = { readonly actor: Actor; readonly current: LiveKey | undefined; readonly next: LiveKey; readonly now: Date };

/** The next key signs from now on. The private part of the one before it is forgotten, since it never signs again. */
export async function takeTurn(tx: EntityManager, { actor, current, next, now }: Turn): Promise<void> {
  if (current) await sql(tx, 'update webhook_signing_key set retired_at = $2, wrapped_key = null where id = $1', [current.id, now]);
  await sql(tx, 'update webhook_signing_key set signs_from = $2 where id = $1', [next.id, now]);
  const subject = { type: 'signing_key', id: next.id };
  await record(tx, actor, now, { action: 'signing_key.rotated', subject, ...(current && { details: { former: current.id } }) });
}

type Keeping = { readonly wrapping: KeyWrapping; readonly now: Date };

/**
 * Sees to it that one key signs and the next one is published, and rotates when the current one has signed for long enough. Workers call it
 * at their start and by the clock, several at once if need be (docs/specification.md, “Signing keys”).
 */
export async function keepSigningKeys(em: EntityManager, { wrapping, now }: Keeping): Promise<void> {
  await em.transactional(async (tx) => {
    const { current, next } = await lockLiveKeys(tx);
    const over = current?.signsFrom && now.getTime() - current.signsFrom.getTime() >= webhookLimits.signingKeyRotation;
    const turns = next !== undefined && (!current || (over && maySignFrom(next) <= now));
    if (turns) await takeTurn(tx, { actor: service, current, next, now });
    // Without a next key, nothing else can sign: at the first start, or after both were revoked.
    else if (!current) await publishKey(tx, { wrapping, signsFrom: now, now });
    if (!next || turns) await publishKey(tx, { wrapping, signsFrom: null, now });
  });
}

const insertSql = `
insert into webhook_signing_key (id, public_key, wrapped_key, published_at, signs_from) values ($1, $2, $3, $4, $5)`;

async function publishKey(tx: EntityManager, { wrapping, signsFrom, now }: Keeping & { readonly signsFrom: Date | null }): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const x = publicPart(publicKey);
  const id = thumbprint(x);
  const wrapped = wrapping.wrap(purpose, privateKey.export({ format: 'der', type: 'pkcs8' }));
  await sql(tx, insertSql, [id, x, wrapped, now, signsFrom]);
  await record(tx, service, now, {
    action: 'signing_key.published',
    subject: { type: 'signing_key', id },
    details: { signs: signsFrom !== null },
  });
}

/** The private key of a row. Throws Error if SIGNING_KEY does not unwrap it, or if it is not the key that was published. */
export function openKey({ id, wrapped }: { readonly id: string; readonly wrapped: Buffer }, wrapping: KeyWrapping): KeyObject {
  const privateKey = createPrivateKey({ key: wrapping.unwrap(purpose, wrapped), format: 'der', type: 'pkcs8' });
  if (thumbprint(publicPart(createPublicKey(privateKey))) !== id) throw new Error(`The stored private key of ${id} is another key’s.`);
  return privateKey;
}

/** The public part of an Ed25519 key, base64url. */
function publicPart(publicKey: KeyObject): string {
  return publicKey.export({ format: 'jwk' }).x ?? '';
}
