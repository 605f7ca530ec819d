import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { ClientAuthorities } from '../../rest-api/tls/clientAuthorities.ts';
import { openDatabaseClients } from '../../rest-api/database/databaseClients.ts';
import type { MachineState } from '../../rest-api/MachineContext.ts';
import { answerProblems } from '../../rest-api/middleware/answerProblems.ts';
import { identifyCertificate } from '../../rest-api/middleware/identifyCertificate.ts';
import { limitTime } from '../../rest-api/middleware/limitTime.ts';
import { observeRequests } from '../../rest-api/middleware/observeRequests.ts';
import { recordUsage } from '../../rest-api/middleware/recordUsage.ts';
import { takeLease } from '../../rest-api/middleware/takeLease.ts';
import { openUsageRecorder } from '../../rest-api/database/openUsageRecorder.ts';
import { UnauthenticatedLimit } from '../../rest-api/answer/UnauthenticatedLimit.ts';
import { FinishedLeases } from '../../server/domain/client/admission/FinishedLeases.ts';
import { releaseLeases } from '../../server/domain/client/admission/admit.ts';
import { serverLimits } from '../../server/platform/http/serverLimits.ts';
import { roleUrl } from '../../server/database/roles/loginRoles.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { inspectHandshakes } from '../../server/platform/http/inspectHandshakes.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { answerTasks } from './childProcess.ts';
import { mutualTls, type ServerTask } from './servers.ts';

/** "Admission alone": the machine API's own steps in its own order (machineApi.ts) up to admission, then an empty answer. */
answerTasks(async (message) => {
  const task = message as ServerTask;
  const databaseUrl = roleUrl(task.databaseUrl, 'machine_api');
  const clock = systemClock;
  const portalUrl = 'http://localhost:3000';
  const logger = createLogger('machine-api', 'info');
  const clients = openDatabaseClients(databaseUrl);
  const leases = new FinishedLeases((finished) => releaseLeases(clients.admission, finished));
  const usage = openUsageRecorder(databaseUrl, logger);
  const authorities = new ClientAuthorities();
  const unauthenticated = new UnauthenticatedLimit();
  const app = new Koa<MachineState>();
  app.use(observeRequests(logger));
  app.use(recordUsage({ recorder: usage.recorder, clock }));
  app.use(answerProblems({ portalUrl, logger }));
  app.use(identifyCertificate({ authorities, unauthenticated, clock }));
  app.use(limitTime(serverLimits.requestTimeout));
  app.use(takeLease({ query: clients.admission, leases, unauthenticated, clock }));
  app.use((context) => {
    context.status = 204;
  });
  await authorities.reload(clients.read, clock.now());
  const answer = app.callback();
  const server = createServer(
    { ...mutualTls(task), rejectUnauthorized: false, noDelay: true },
    (request, response) => void answer(request, response),
  );
  inspectHandshakes(server, () => {});
  server.on('connection', (socket) => authorities.noteConnection(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
});
