import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { OperatorClient, pemFiles } from 'svc-operator-kit';
import { remoteKeys, WebhookReceiver } from 'svc-operator-kit/webhook';
import { open } from './database.ts';
import { report, startRounds } from './rounds.ts';
import { operator, pathOf, service } from './settings.ts';
import { site } from './site.ts';
import { storeOn, tables, writes } from './store.ts';

const { environment, baseUrl, portalUrl } = service;
const ca = service.ca === undefined ? {} : { ca: readFileSync(pathOf(service.ca), 'utf8') };
const credentials = pemFiles({ cert: pathOf(service.cert ?? 'client.pem'), key: pathOf(service.key ?? 'client.key') });
const client = new OperatorClient({ baseUrl, credentials, expect: { environment, scopes: ['revocations.ack'] }, ...ca });
const { feed, query } = await open(tables, writes);
const store = storeOn(query);

const stopping = new AbortController();
const { soon } = startRounds({ client, credentials, feed, store }, stopping.signal);
const hooks = new WebhookReceiver({
  url: operator.webhookUrl,
  freshnessSeconds: 300,
  once: feed.commitEvent,
  keys: remoteKeys(`${portalUrl}/.well-known/svc-integration-webhook-jwks.json`, ca),
  expect: { environment, source: new URL(baseUrl).origin },
  answerChallenges: operator.answerChallenges,
}).handler(soon, { failed: report });
const pages = site({ client, store, soon });

const { pathname, search } = new URL(operator.webhookUrl);
const listener: typeof pages = (request, response) => (request.url === pathname + search ? hooks : pages)(request, response);
const { tls, host, port } = operator;
const server = tls
  ? createSecureServer({ cert: readFileSync(pathOf(tls.cert)), key: readFileSync(pathOf(tls.key)) }, listener)
  : createServer(listener);
server.requestTimeout = 15_000;
server.listen(port, host, () => console.log(`listening ${(server.address() as AddressInfo).port}`));

process.once('SIGINT', stop).once('SIGTERM', stop);
function stop(): void {
  stopping.abort();
  server.close();
  client.close();
}
