import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import type { WebhookEvent } from '../../../kit/src/index.ts';
import { sqliteFeed } from '../../../kit/src/sqlite.ts';
import { remoteKeys, WebhookReceiver } from '../../../kit/src/webhook.ts';

// The kit’s receiver in a server of its own, with the settings and the output of the guide’s receivers.
const setting = (name: string): string => process.env[name] ?? '';

const database = new DatabaseSync(setting('DATABASE'));
database.exec(
  'pragma journal_mode = wal; pragma synchronous = full; create table if not exists work (id text primary key, done integer not null)',
);
const { commitEvent } = sqliteFeed(database);
const receiver = new WebhookReceiver({
  url: setting('WEBHOOK_URL'),
  freshnessSeconds: 300,
  once(event: WebhookEvent) {
    const isNew = commitEvent(event);
    if (isNew) database.prepare('insert into work values (?, 0)').run(event.id);
    return isNew;
  },
  keys: remoteKeys(setting('JWKS_URL'), {
    refreshSeconds: Number(process.env['JWKS_REFRESH_SECONDS'] ?? 30),
    trustedSeconds: Number(process.env['JWKS_TRUSTED_SECONDS'] ?? 86_400),
  }),
  expect: { environment: 'sandbox', source: setting('EVENT_SOURCE') },
  answerChallenges: process.env['ANSWER_CHALLENGES'] === 'true',
});

function work(): void {
  for (const { id } of database.prepare('select id from work where done = 0 order by rowid').all()) {
    process.stdout.write(`applied ${String(id)}\n`);
    database.prepare('update work set done = 1 where id = ?').run(id ?? null);
  }
}

work();
const server = createServer(
  { cert: readFileSync(setting('TLS_CERT_FILE')), key: readFileSync(setting('TLS_KEY_FILE')) },
  receiver.handler(work),
);
server.listen(0, setting('HOST'), () => process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`));
