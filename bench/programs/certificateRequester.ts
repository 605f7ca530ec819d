import 'reflect-metadata';
import { performance } from 'node:perf_hooks';
import { certificateRequest } from './certificateRequest.ts';
import { createOrm, type Orm } from '../../server/database/orm.ts';
import { requestCertificate } from '../../server/domain/certificate/request/requestCertificate.ts';
import { newId } from '../../server/domain/shared/ids.ts';
import type { RequestingClient } from '../certificates/requestingClients.ts';
import { answerTasks } from './childProcess.ts';

/** Connects, makes keys and requests for these clients beforehand, or sends requests for this many milliseconds and answers how many. */
export type RequesterTask =
  | { readonly kind: 'connect'; readonly databaseUrl: string }
  | { readonly kind: 'prepare'; readonly clients: readonly RequestingClient[] }
  | { readonly kind: 'request'; readonly milliseconds: number };

const atOnce = 8;
let orm: Orm;
let prepared: { readonly client: RequestingClient; readonly csr: string }[] = [];

/** Owners who ask for certificates, as the portal's mutation does once it knows who they are. */
answerTasks(async (message) => {
  const task = message as RequesterTask;
  if (task.kind === 'connect') orm = await createOrm(task.databaseUrl);
  else if (task.kind === 'prepare')
    prepared = task.clients.map((client) => ({ client, csr: certificateRequest(`svc:sandbox:${client.id}`).csrPem }));
  else return requestFor(task.milliseconds);
  return 0;
});

async function requestFor(milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds;
  let requested = 0;
  const send = async (): Promise<void> => {
    while (performance.now() < end) {
      const next = prepared.pop();
      if (!next) throw new Error('Too few requests were prepared.');
      const actor = { type: 'operator', operatorId: next.client.operatorId, roles: [], ip: '127.0.0.1', requestId: newId('req') } as const;
      await requestCertificate(orm.em.fork(), { actor, clientId: next.client.id, csr: next.csr, now: new Date() });
      requested += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  return requested;
}
