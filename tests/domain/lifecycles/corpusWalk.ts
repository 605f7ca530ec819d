import { buildSandboxCorpus } from '../../../server/domain/sandbox/corpus/buildSandboxCorpus.ts';
import { failSandboxCorpus } from '../../../server/domain/sandbox/corpus/failSandboxCorpus.ts';
import { corpusLifecycle } from '../../../server/domain/sandbox/corpusStatus.ts';
import type { World } from '../../support/world/World.ts';
import { Interruption, type Made, type Walk } from './Walk.ts';

type CorpusRow = Made & { readonly clientNumber: number };

export function corpusWalk(world: World, now: Date): Walk<CorpusRow> {
  const em = () => world.orm.em.fork();
  const before = new Date(now.getTime() - 60_000);
  async function make(state: string): Promise<CorpusRow> {
    const { number } = await world.fixtures.client({ scopes: ['statistics.orders.read'] });
    const at = (...states: string[]) => (states.includes(state) ? before : null);
    await world.fixtures.sql`insert into sandbox_corpus (client_number, generation, requested_at, started_at, ready_at, failed_at)
      values (${number}, 1, ${before}, ${at('building', 'ready', 'failed')}, ${at('ready')}, ${at('failed')})`;
    return { where: { client_number: number, generation: 1 }, clientNumber: number };
  }
  /** A clock that stops the job once it has begun. */
  const stopping = () => {
    let asked = 0;
    return {
      now: () => {
        asked += 1;
        if (asked > 1) throw new Interruption();
        return now;
      },
    };
  };
  const starts = { actions: ['startSandboxCorpus'], to: 'building' };
  const builds = { actions: ['startSandboxCorpus', 'activateSandboxCorpus'], to: 'ready' };
  const fails = { actions: ['failSandboxCorpus'], to: 'failed' };
  return {
    lifecycle: corpusLifecycle,
    make,
    runs: {
      'a job that breaks off': {
        command: ({ clientNumber }) => buildSandboxCorpus(em(), { clientNumber, generation: 1, clock: stopping() }),
        does: { queued: starts, failed: starts },
      },
      buildSandboxCorpus: {
        command: ({ clientNumber }) => buildSandboxCorpus(em(), { clientNumber, generation: 1, clock: { now: () => now } }),
        does: { queued: builds, building: builds, failed: builds },
      },
      failSandboxCorpus: {
        command: ({ clientNumber }) => failSandboxCorpus(em(), { clientNumber, generation: 1, now }),
        does: { queued: fails, building: fails, failed: fails },
      },
    },
  };
}
