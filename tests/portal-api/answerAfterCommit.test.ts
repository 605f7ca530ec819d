import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from '../../server/domain/shared/sql.ts';
import { goodProfile, type PortalClient } from '../support/clients/portalClient.ts';
import { waitForLock } from '../support/database/waitForLock.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';

let application: PortalWorld;
let operator: PortalClient;
beforeAll(async () => {
  application = await openWorld({ portal: { connections: 1 } });
  operator = await application.operator();
  await operator.acceptTerms();
});
afterAll(() => application.close());

describe('the answer to a change that is stored', () => {
  test('does not wait for a connection that others want as well', async () => {
    const done = Promise.withResolvers<void>();
    const other = Promise.withResolvers<'got'>();
    const { sql: fixtures } = application.fixtures;
    let created: ReturnType<PortalClient['tryCreateIntegration']> | undefined;
    let waiting: Promise<unknown> | undefined;
    await fixtures.begin(async (tx) => {
      await tx`select 1 from operator for update`;
      created = operator.tryCreateIntegration();
      await waitForLock(application);
      // It gets the only connection as soon as that is free, and keeps it.
      waiting = application.portalOrm.em.fork().transactional(async (em) => {
        await sql(em, 'select 1');
        other.resolve('got');
        await done.promise;
      });
    });
    try {
      const first = await Promise.race([created, other.promise]);
      expect(first).toMatchObject({ status: 200, data: { status: 'sandbox', clients: [{ environment: 'sandbox' }] } });
      expect(await other.promise).toBe('got');
    } finally {
      done.resolve();
      await waiting;
    }
  });

  test('says that it was done if it cannot be read', async () => {
    await application.rows('alter table certificate rename to certificate_away');
    const input = goodProfile();
    try {
      const answer = await operator.graphql(
        'mutation ($input: CreateIntegrationInput!) { createIntegration(input: $input) { slug clients { certificatesInUse { id } } } }',
        { input },
      );
      expect(answer.errors).toMatchObject([{ message: expect.stringMatching(/^This was done/), extensions: { done: true } }]);
      expect(answer.status).toBe(200);
    } finally {
      await application.rows('alter table certificate_away rename to certificate');
    }
    expect(await operator.tryCreateIntegration(input)).toMatchObject({ status: 200, data: { slug: input['slug'] }, errors: [] });
  });
});

describe('creating an integration again', () => {
  const count = async () => (await application.rows<{ count: number }>('select count(*)::int from audit_entry'))[0]?.count;

  test('with the same slug and content gives its owner the one that there is', async () => {
    const input = goodProfile();
    const { data } = await operator.tryCreateIntegration(input);
    const before = await count();
    const again = await operator.tryCreateIntegration(input);
    expect([again.data?.id, again.errors]).toEqual([data?.id, []]);
    expect(await count()).toBe(before);
  });

  test('with other content, or by somebody else, is refused as before', async () => {
    const input = goodProfile();
    await operator.tryCreateIntegration(input);
    const taken = { data: null, errors: [{ extensions: { fields: [{ path: 'input.slug', message: expect.stringContaining('taken') }] } }] };
    expect(await operator.tryCreateIntegration({ ...input, purpose: 'Shows something else to its owner.' })).toMatchObject(taken);
    const stranger = await application.operator();
    await stranger.acceptTerms();
    expect(await stranger.tryCreateIntegration(input)).toMatchObject(taken);
  });
});

describe('the log', () => {
  test('names the cause of each 503', async () => {
    const done = Promise.withResolvers<void>();
    const holds = Promise.withResolvers<void>();
    const holding = application.portalOrm.em.fork().transactional(async (em) => {
      await sql(em, 'select 1');
      holds.resolve();
      await done.promise;
    });
    await holds.promise;
    try {
      expect((await operator.viewer()).status).toBe(503);
    } finally {
      done.resolve();
      await holding;
    }
    expect(application.log()).toContain('"cause":"timeout exceeded when trying to connect"');
  });
});
