import { createServer } from 'node:http';
import { connect } from 'node:net';
import { openDatabaseClients } from '../../../rest-api/database/databaseClients.ts';
import { createOrm } from '../../../server/database/orm.ts';
import { enqueue } from '../../../server/domain/shared/jobs.ts';
import { sql } from '../../../server/domain/shared/sql.ts';
import { systemClock } from '../../../server/platform/clock.ts';
import { takeRequestsInTurn } from '../../../server/platform/http/takeRequestsInTurn.ts';
import { createLogger } from '../../../server/platform/logger.ts';
import { startTracing } from '../../../server/platform/tracing/startTracing.ts';
import { traceRequest } from '../../../server/platform/tracing/tracing.ts';
import { bindTasks } from '../../../workers/bindTasks.ts';
import { startPool } from '../../../workers/startPool.ts';
import { markers } from '../forbiddenData.ts';

/**
 * A server and a worker made of the service's own parts, which send what they trace to a collector, if one is named. It answers two pipelined requests
 * full of what must not be told, each with statements of all three libraries and a job, and ends. A test runs it.
 */
const [databaseUrl = '', endpoint] = process.argv.slice(2);
const stops: (() => Promise<unknown> | void)[] = [];
await startTracing(
  { tracing: endpoint === undefined ? undefined : { endpoint, share: 1 } },
  'test',
  (_name, stop) => void stops.push(stop),
);
const logger = createLogger('test', 'silent');
const orm = await createOrm(databaseUrl);
const clients = openDatabaseClients(databaseUrl);

const jobs = Promise.withResolvers<void>();
let finished = 0;
// The task looks for a mail that does not exist, and needs nothing else.
const { sendMail } = bindTasks({ orm, logger, clock: systemClock } as unknown as Parameters<typeof bindTasks>[0]);
const tasks = {
  sendMail: async (...given: Parameters<NonNullable<typeof sendMail>>) => {
    await sendMail?.(...given);
    finished += 1;
    if (finished === 2) jobs.resolve();
  },
};
const pool = await startPool({ name: 'traced', concurrency: 2, tasks, crontab: '', databaseUrl, logger, pollInterval: 100 });

let requests = 0;
const server = createServer();
takeRequestsInTurn(server, {
  refuse: () => ({ status: 400, headers: {}, body: '' }),
  handle(request, response) {
    requests += 1;
    const number = requests;
    const facts = () => ({ route: `operation${number}`, requestId: `req_${number}`, code: 'not_found', operations: 'viewer' });
    void traceRequest(request, facts, async () => {
      await clients.read('select 1 from client_quota where $1::text is null', [markers.vin]);
      await clients.readRows('select 1 from client_feed where $1::text is null', [markers.email], () => {});
      await orm.em.fork().transactional(async (tx) => {
        await sql(tx, 'select 1 from operator where email = $1', [markers.email]);
        await enqueue(tx, 'sendMail', { mailId: `mail_${number}` });
      });
      // The error's message quotes what was typed in.
      await sql(orm.em.fork(), 'select $1::text::int', [markers.street]).catch(() => {});
      response.end('done');
    });
  },
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
const request = (path: string) =>
  `POST ${path}?code=${markers.key}&user=${markers.user} HTTP/1.1\r\nHost: ${markers.gps}\r\nUser-Agent: ${markers.account}\r\nCookie: session=${markers.key}\r\n` +
  `traceparent: 00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01\r\nX-Forwarded-For: 203.0.113.77\r\nContent-Length: 0\r\n\r\n`;
socket.write(request(`/${markers.orderNumber}`) + request('/second'));
socket.resume();
await jobs.promise;

await pool.stop();
socket.destroy();
await new Promise((resolve) => server.close(resolve));
await Promise.all([clients.close(), orm.close(true)]);
for (const stop of stops) await stop();
process.stdout.write(`${finished} jobs\n`);
process.exit(0);
