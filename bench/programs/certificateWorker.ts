import 'reflect-metadata';
import { createOrm } from '../../server/database/orm.ts';
import { developmentContact } from '../../server/domain/shared/supportContact.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { startWorkers } from '../../workers/startWorkers.ts';
import { answerTasks } from './childProcess.ts';
import { benchKeyRing } from './servers.ts';

/** A worker process as the service has it. It sends no mail. */
answerTasks(async (message) => {
  const { databaseUrl, signingKeyHex } = message as { databaseUrl: string; signingKeyHex: string };
  const orm = await createOrm(databaseUrl);
  await startWorkers({
    databaseUrl,
    orm,
    keyRing: benchKeyRing(signingKeyHex),
    signingKeys: { variable: 'SIGNING_KEY', current: Buffer.from(signingKeyHex, 'hex'), previous: undefined },
    mailer: { send: () => Promise.resolve(null) },
    portalUrl: 'http://localhost:3000',
    machineApiOrigin: () => 'https://localhost:8443',
    supportContact: developmentContact,
    logger: createLogger('workers', 'info'),
    clock: systemClock,
  });
  return true;
});
