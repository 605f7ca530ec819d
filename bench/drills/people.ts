import { loadKeyRing } from '../../server/database/keyRing.ts';
import { createOrm } from '../../server/database/orm.ts';
import { createServiceToken } from '../../server/domain/access/createServiceToken.ts';
import { openSession } from '../../server/domain/account/session/openSession.ts';
import { sessionCookie } from '../../server/domain/account/session/sessionCookie.ts';
import { sql } from '../../server/domain/shared/sql.ts';
import { systemClock } from '../../server/platform/clock.ts';

const signedIn = 5;

/** Signs a few operators in, and makes a token for the tooling. The values of the cookies and the token's text are for the load. */
export async function makePeople(databaseUrl: string, masterKey: Buffer): Promise<{ sessions: string[]; serviceToken: string }> {
  const { keys } = await loadKeyRing({ databaseUrl, masterKeys: { variable: 'MASTER_KEY', current: masterKey }, clock: systemClock });
  const orm = await createOrm(databaseUrl, { poolMax: 1 });
  try {
    const now = new Date();
    const operators = await sql<{ id: string; email: string }>(orm.em.fork(), 'select id, email from operator order by id limit $1', [
      signedIn,
    ]);
    const visitor = { ip: '127.0.0.1', source: '127.0.0.1', userAgent: 'drill', requestId: 'req_drill' };
    const sessions = await orm.em.fork().transactional(async (tx) =>
      operators.map(({ id, email }) => {
        const session = openSession(tx, { kind: 'full', operatorId: id, email, visitor, now });
        return sessionCookie(keys.session, { sessionId: session.id, generation: 0 });
      }),
    );
    const input = { name: 'Drill', environment: 'sandbox', permissions: ['resources.write', 'shares.write', 'shares.read'] };
    const { token } = await createServiceToken(orm.em.fork(), { actor: { type: 'system', name: 'terminal' }, input, now });
    return { sessions, serviceToken: token };
  } finally {
    await orm.close(true);
  }
}
