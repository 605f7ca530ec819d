import { defineEntity, p } from '@mikro-orm/postgresql';
import { Client } from '../client/Client.ts';

const schema = defineEntity({
  name: 'SandboxCorpus',
  tableName: 'sandbox_corpus',
  properties: {
    clientNo: p.manyToOne(Client).mapToPk().fieldName('client_no').primary(),
    generation: p.integer().primary(),
    requestedAt: p.datetime(3),
    startedAt: p.datetime(3).nullable(),
    readyAt: p.datetime(3).nullable(),
    failedAt: p.datetime(3).nullable(),
  },
});

/** One generation of a sandbox client's corpus, from its request to its activation. */
export class SandboxCorpus extends schema.class {}
schema.setClass(SandboxCorpus);

export const corpusStates = ['queued', 'building', 'ready', 'failed'] as const;
export type CorpusState = (typeof corpusStates)[number];

/** The state that the portal shows, derived from what has happened. */
export function corpusState({ startedAt, readyAt, failedAt }: Pick<SandboxCorpus, 'startedAt' | 'readyAt' | 'failedAt'>): CorpusState {
  if (readyAt) return 'ready';
  if (failedAt) return 'failed';
  return startedAt ? 'building' : 'queued';
}
