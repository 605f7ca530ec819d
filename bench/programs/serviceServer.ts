import { startMachineApi } from '../../rest-api/machineApi.ts';
import { roleUrl } from '../../server/database/roles/loginRoles.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { answerTasks } from './childProcess.ts';
import { benchKeyRing, type ServerTask } from './servers.ts';
import { developmentContact } from '../../server/domain/shared/supportContact.ts';

/** The real machine API, as `npm start` runs it. */
answerTasks(async (message) => {
  const task = message as ServerTask;
  const api = await startMachineApi({
    host: '127.0.0.1',
    port: 0,
    databaseUrl: roleUrl(task.databaseUrl, 'machine_api'),
    keyRing: benchKeyRing(task.cursorKeyHex),
    logger: createLogger('machine-api', 'info'),
    clock: systemClock,
    tls: task.tls,
    portalUrl: 'http://localhost:3000',
    supportContact: developmentContact,
  });
  return api.port;
});
