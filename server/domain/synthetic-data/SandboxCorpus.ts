import { defineEntity, p } from '@mikro-orm/postgresql';
import { Client } from '../client/Client.ts';

const schema = defineEntity({
  name: 'SandboxCorpus',
  tableName: 'sandbox_corpus',
  properties: {
    clientNo: p.manyToOne(() => Client).mapToPk().fieldName('client_no').primary(),
    generation: p.integer().primary(),
    requestedAt: p.datetime(3),
    startedAt: p.datetime(3).nullable(),
    readyAt: p.datetime(3).nullable(),
    failedAt: p.datetime(3).nullable(),
  },
});

/** One generation of a sandbox client's synthetic data, from its request to its activation. */
export class SandboxCorpus extends schema.class {
  get state(): 'queued' | 'building' | 'ready' | 'failed' {
    if (this.readyAt) return 'ready';
    if (this.failedAt) return 'failed';
    return this.startedAt ? 'building' : 'queued';
  }
}
schema.setClass(SandboxCorpus);
