import { defineEntity, p } from '@mikro-orm/postgresql';
import { Client } from '../client/Client.ts';
import type { HeldByTable } from '../shared/stateMachine.ts';
import type { corpusTransitions } from './corpusStatus.ts';

const schema = defineEntity({
  name: 'SandboxCorpus',
  tableName: 'sandbox_corpus',
  properties: {
    clientNumber: p.manyToOne(Client).mapToPk().fieldName('client_number').primary(),
    generation: p.integer().primary(),
    requestedAt: p.datetime(3),
    startedAt: p.datetime(3).nullable(),
    readyAt: p.datetime(3).nullable(),
    failedAt: p.datetime(3).nullable(),
  },
});

/** One generation of a sandbox client's corpus, from its request to its activation. */
export class SandboxCorpus extends (schema.class as HeldByTable<typeof schema.class, typeof corpusTransitions>) {}
schema.setClass(SandboxCorpus);
