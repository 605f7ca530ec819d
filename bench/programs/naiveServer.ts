import { createHash } from 'node:crypto';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { defineEntity, MikroORM, p } from '@mikro-orm/postgresql';
import Koa from 'koa';
import { subKey } from '../../server/database/keyRing.ts';
import { createCursorCodec } from '../../server/domain/feed/cursor.ts';
import { scopesOfBits } from '../../server/domain/shared/scopes.ts';
import { answerTasks } from './childProcess.ts';
import { benchKeyRing, mutualTls, type ServerTask } from './servers.ts';

const CertificateRow = defineEntity({
  name: 'CertificateRow',
  tableName: 'certificate',
  properties: {
    id: p.string().primary(),
    clientNumber: p.integer(),
    status: p.string(),
    fingerprintSha256: p.string().fieldName('fingerprint_sha256'),
    usableUntil: p.datetime(),
  },
});
const FeedRow = defineEntity({
  name: 'FeedRow',
  tableName: 'client_feed',
  properties: { clientNumber: p.integer().primary(), head: p.bigint('number'), epoch: p.integer() },
});
const TrackedRow = defineEntity({
  name: 'TrackedRow',
  tableName: 'tracked_resource',
  properties: { id: p.bigint('string').primary(), core: p.text(), shipping: p.text().nullable(), historyComplete: p.boolean() },
});
const SharedRow = defineEntity({
  name: 'SharedRow',
  tableName: 'shared_resource',
  properties: {
    clientNumber: p.integer().primary(),
    id: p.string().primary(),
    connectionId: p.string(),
    trackedResource: () => p.manyToOne(TrackedRow).fieldName('tracked_resource_id'),
    type: p.string(),
    consented: p.smallint(),
    revision: p.bigint('number'),
    position: p.bigint('number'),
    updatedAt: p.datetime(),
  },
});

/**
 * The same page in the way that it is usually first written: Koa, three ORM queries, hydrated entities, a hash of the body. It has no
 * quotas.
 */
answerTasks(async (message) => {
  const task = message as ServerTask;
  const orm = await MikroORM.init({
    clientUrl: task.databaseUrl,
    entities: [CertificateRow, FeedRow, TrackedRow, SharedRow],
    pool: { min: 0, max: 8 },
    forceUtcTimezone: true,
  });
  const cursors = createCursorCodec(subKey(benchKeyRing(task.cursorKeyHex).cursor.current, 'sync'));
  const app = new Koa();
  app.use(async (context) => {
    const em = orm.em.fork();
    const peer = (context.req.socket as TLSSocket).getPeerCertificate();
    const fingerprintSha256 = peer.fingerprint256.replaceAll(':', '').toLowerCase();
    const certificate = await em.findOneOrFail(CertificateRow, { fingerprintSha256, status: 'issued' });
    const feed = await em.findOneOrFail(FeedRow, { clientNumber: certificate.clientNumber });
    const from = cursors.decode(String(context.query['updated_since'] ?? ''), certificate.clientNumber)?.position ?? 0;
    const shared = await em.find(
      SharedRow,
      { clientNumber: certificate.clientNumber, position: { $gt: from } },
      { orderBy: { position: 'asc' }, limit: 501, populate: ['trackedResource'], strategy: 'joined' },
    );
    const hasMore = shared.length > 500;
    const page = shared.slice(0, 500);
    const position = hasMore ? (page.at(-1)?.position ?? 0) : feed.head;
    const body = JSON.stringify({
      upserts: page.map((row) => ({
        id: row.id,
        type: row.type,
        revision: row.revision + feed.epoch,
        updated_at: row.updatedAt.toISOString(),
        connection_id: row.connectionId,
        scopes: scopesOfBits(row.consented),
        history_complete: row.trackedResource.historyComplete,
        ...(JSON.parse(row.trackedResource.core) as object),
        ...(row.trackedResource.shipping !== null &&
          row.trackedResource.shipping !== undefined && { shipping: JSON.parse(row.trackedResource.shipping) as unknown }),
      })),
      tombstones: [],
      next_cursor: cursors.encode({ clientNumber: certificate.clientNumber, epoch: feed.epoch, position }),
      has_more: hasMore,
    });
    context.set('ETag', `"${createHash('sha256').update(body).digest('base64url')}"`);
    context.type = 'application/json';
    context.body = body;
  });
  const answer = app.callback();
  const server = createServer(mutualTls(task), (request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
});
