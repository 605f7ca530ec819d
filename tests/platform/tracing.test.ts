import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { summaryOf } from '../../server/platform/tracing/spanFacts.ts';
import { markers } from '../support/forbiddenData.ts';
import { createTestDatabase } from '../support/run/testDatabase.ts';

type Attribute = { readonly key: string; readonly value: Readonly<Record<string, unknown>> };
type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
};
type Export = { readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[] };

const program = fileURLToPath(new URL('../support/run/tracedProcess.ts', import.meta.url));

test('a request, its statements and its job are one trace, in which nothing stands that the caller sent or the database said', async () => {
  const bodies: string[] = [];
  const collector = createServer((request, response) => {
    void buffer(request).then((body) => {
      bodies.push(`${request.url} ${body.toString()}`);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const database = await createTestDatabase();
  try {
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    const child = spawn(process.execPath, [program, database.url, endpoint], { stdio: ['ignore', 'pipe', 'inherit'] });
    expect(await text(child.stdout)).toBe('2 jobs\n');
  } finally {
    collector.close();
    await database.drop();
  }

  const spans = bodies.flatMap((body) => {
    expect(body).toMatch(/^\/v1\/traces /);
    const { resourceSpans } = JSON.parse(body.slice(body.indexOf(' '))) as Export;
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  });
  const shown = (of: Span) => spans.filter(({ traceId }) => traceId === of.traceId).map(({ name }) => name);
  const requests = spans.filter(({ name }) => name.startsWith('POST '));
  expect(requests.map(({ name }) => name)).toEqual(['POST operation1', 'POST operation2']);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(requests.map(({ traceId }) => traceId)));
  for (const request of requests) {
    expect(request.parentSpanId).toBeUndefined();
    expect(shown(request)).toEqual(
      // Of pipelined statements, of our own reader, of pg within a transaction, of the queue, and of pg within the job.
      expect.arrayContaining(['SELECT client_quota', 'SELECT client_feed', 'SELECT operator', 'COMMIT', 'sendMail', 'SELECT mail']),
    );
    const job = spans.find(({ name, traceId }) => name === 'sendMail' && traceId === request.traceId);
    const statement = spans.find(({ name, traceId }) => name === 'SELECT mail' && traceId === request.traceId);
    expect(statement?.parentSpanId).toBe(job?.spanId);
  }
  expect(requests[1]?.attributes).toEqual(
    expect.arrayContaining([
      { key: 'svc.request_id', value: { stringValue: 'req_2' } },
      { key: 'svc.error_code', value: { stringValue: 'not_found' } },
      { key: 'http.response.status_code', value: { intValue: 200 } },
    ]),
  );

  const everything = bodies.join('\n');
  const forbidden = [
    ...Object.values(markers),
    '127.0.0.1',
    '203.0.113.77',
    'second',
    'session',
    '$1',
    'mail_1',
    'invalid input',
    'abababab',
  ];
  expect(forbidden.filter((word) => everything.includes(word))).toEqual([]);
});

test.each([
  ['select 1', 'SELECT'],
  ['  update "client_quota" set x = $1 where y in (select 1 from client)', 'UPDATE client_quota'],
  ['-- a comment\nwith due as (select number from webhook_delivery) delete from webhook_delivery', 'WITH webhook_delivery'],
  ["insert into mail (id) values ('x from anna')", 'INSERT mail'],
  ["select 'from anna'", 'SELECT'],
  ['select extract(epoch from clock_timestamp()) from mail', 'SELECT mail'],
  ['insert into mail(id) values ($1)', 'INSERT mail'],
  ['begin', 'BEGIN'],
])('of the statement “%s”, a trace tells %s', (statement, summary) => expect(summaryOf(statement)).toBe(summary));
