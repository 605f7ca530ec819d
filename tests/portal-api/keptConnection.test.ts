import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { graphql } from 'graphql';
import { keepConnection, withKeptConnection } from '../../server/database/connection/keptConnection.ts';
import { sql } from '../../server/domain/shared/sql.ts';
import { CertificateResolver } from '../../server/portal-api/certificate/CertificateResolver.ts';
import type { PortalContext } from '../../server/portal-api/context.ts';
import { portalSchema } from '../../server/portal-api/portalSchema.ts';
import { requestFor } from '../support/clients/portalClient.ts';
import { documents } from '../support/clients/portalDocuments.ts';
import { toolingClient } from '../support/clients/toolingClient.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { sampleOrder } from '../support/world/samples.ts';

let world: PortalWorld;
beforeAll(async () => {
  world = await openWorld({ portal: { connections: 1 } });
});
afterAll(() => world.close());

/** Runs as another request, which keeps nothing. */
const elsewhere = AsyncLocalStorage.snapshot();

/** The portal's manager, on its only connection. Before a transaction begins, when everything has been judged, another request needs it. */
function shared(): { readonly em: EntityManager; readonly others: unknown[] } {
  const em = world.portalOrm.em.fork();
  const others: unknown[] = [];
  const begin = em.transactional.bind(em);
  em.transactional = async (...work) => {
    others.push(...(await elsewhere(() => sql(world.portalOrm.em.fork(), 'select 1 as one'))));
    return begin(...work);
  };
  return { em, others };
}

const visitor = { ip: '127.0.0.1', requestId: 'req_test' };

test('while a batch is judged, another request has the connection', async () => {
  const { tokenId } = await toolingClient(world);
  const { em, others } = shared();
  const { clock, keyRing } = world;
  const serviceToken = { id: tokenId, environment: 'sandbox', permissions: ['resources.write'], useToBeNoted: false };
  const order = { type: 'order', key: 'one', user: 'somebody', version: '1', historyComplete: true, data: sampleOrder };
  const schema = await portalSchema();
  const { data, errors } = await withKeptConnection(() =>
    graphql({
      schema,
      source: documents.upsertTrackedResources,
      variableValues: { input: { resources: [order] } },
      contextValue: { em, clock, keyRing, visitor, session: null, serviceToken, asOwner: null },
    }),
  );
  expect([errors, data?.['upsertTrackedResources'], others]).toEqual([undefined, expect.objectContaining({ created: 1 }), [{ one: 1 }]]);
});

test('while the key of a certificate request is judged, another request has the connection', async () => {
  const { id: clientId, commonName, operatorId } = await world.fixtures.client();
  const em = world.portalOrm.em.fork();
  const ended: string[] = [];
  let other: Promise<unknown> | undefined;
  // Another request asks for the only connection once this one has it.
  const connection = em.getConnection.bind(em);
  em.getConnection = (...work) => {
    setImmediate(() => {
      other ??= elsewhere(() => sql(world.portalOrm.em.fork(), 'select 1 as one')).then(() => ended.push('other'));
    });
    return connection(...work);
  };
  const session = { kind: 'full', operatorId, roles: [] };
  const context = { em, clock: world.clock, visitor, session } as unknown as PortalContext;
  const certificate = await withKeptConnection(async () => {
    keepConnection();
    const requested = await new CertificateResolver().requestCertificate({ clientId, csr: requestFor(commonName) }, context);
    ended.push('request');
    return requested;
  });
  await other;
  expect([certificate.status, ended]).toEqual(['pending', ['other', 'request']]);
});
