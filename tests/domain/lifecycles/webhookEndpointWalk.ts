import { pauseAnyWebhookEndpoint, resumeAnyWebhookEndpoint } from '../../../server/domain/administration/pauseAnyWebhookEndpoint.ts';
import { retireIntegration } from '../../../server/domain/programme/retireIntegration.ts';
import { finishChallenge } from '../../../server/domain/webhook/challenge/finishChallenge.ts';
import { pauseWebhookEndpoint } from '../../../server/domain/webhook/endpoint/pauseWebhookEndpoint.ts';
import { removeWebhookEndpoint } from '../../../server/domain/webhook/endpoint/removeWebhookEndpoint.ts';
import { resumeWebhookEndpoint } from '../../../server/domain/webhook/endpoint/resumeWebhookEndpoint.ts';
import { reviseWebhookEndpoint } from '../../../server/domain/webhook/endpoint/reviseWebhookEndpoint.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import { webhookEndpointLifecycle, type WebhookEndpointStatus } from '../../../server/domain/outbox/webhookEndpointStatus.ts';
import type { TestClient } from '../../support/world/Fixtures.ts';
import type { World } from '../../support/world/World.ts';
import { operatorOf } from './certificateWalk.ts';
import type { Made, Walk } from './Walk.ts';

type EndpointRow = Made & { readonly id: string; readonly number: number; readonly url: string; readonly client: TestClient };

export function webhookEndpointWalk(world: World, now: Date): Walk<EndpointRow> {
  const em = () => world.orm.em.fork();

  async function make(state: string): Promise<EndpointRow> {
    const client = await world.fixtures.client();
    const endpoint = await world.fixtures.webhookEndpoint(client, { status: state as WebhookEndpointStatus });
    return { ...endpoint, where: { number: endpoint.number }, client };
  }
  const of = ({ id, client: { operatorId } }: EndpointRow) => ({ actor: operatorOf(operatorId), endpointId: id, now });

  const decisionOn = ({ id }: EndpointRow) => ({ actor: operatorOf(newId('opr')), endpointId: id, reason: 'A reason.', now });

  /** A challenge that was answered. */
  async function prove({ number, url, client }: EndpointRow): Promise<void> {
    const challengeId = newId('whc');
    await world.fixtures.sql`insert into webhook_challenge (id, endpoint_number, url, requested_at, requested_by)
      values (${challengeId}, ${number}, ${url}, ${now}, ${client.operatorId})`;
    await finishChallenge(em(), { challengeId, failure: null, steps: [], now });
  }
  const removes = { actions: ['removeWebhookEndpoint'], to: 'removed' };
  const moves = { actions: ['moveWebhookEndpoint'], to: 'registered' };
  return {
    lifecycle: webhookEndpointLifecycle,
    make,
    runs: {
      'a challenge that is answered': {
        command: prove,
        does: {
          registered: { actions: ['proveWebhookEndpoint'], to: 'active' },
          active: { actions: ['proveAgain'], to: 'active' },
          paused: { actions: ['proveAgain'], to: 'paused' },
        },
      },
      reviseWebhookEndpoint: {
        command: (row) => reviseWebhookEndpoint(em(), { ...of(row), url: 'https://two.hooks.test/events' }),
        does: { registered: moves, active: moves, paused: moves },
        besides: ['url'],
      },
      pauseWebhookEndpoint: {
        command: (row) => pauseWebhookEndpoint(em(), of(row)),
        does: { active: { actions: ['pauseWebhookEndpoint'], to: 'paused' } },
      },
      resumeWebhookEndpoint: {
        command: (row) => resumeWebhookEndpoint(em(), of(row)),
        does: { paused: { actions: ['resumeWebhookEndpoint'], to: 'active' } },
      },
      pauseAnyWebhookEndpoint: {
        command: (row) => pauseAnyWebhookEndpoint(em(), decisionOn(row)),
        does: {
          active: { actions: ['pauseAnyWebhookEndpoint'], to: 'paused' },
          paused: { actions: ['pauseAnyWebhookEndpoint'], to: 'paused' },
        },
      },
      resumeAnyWebhookEndpoint: {
        make: async (state) => {
          const row = await make(state);
          await world.fixtures
            .sql`update webhook_endpoint set paused_by = 'administrator' where number = ${row.number} and status = 'paused'`;
          return row;
        },
        command: (row) => resumeAnyWebhookEndpoint(em(), decisionOn(row)),
        does: { paused: { actions: ['resumeAnyWebhookEndpoint'], to: 'active' } },
      },
      removeWebhookEndpoint: {
        command: (row) => removeWebhookEndpoint(em(), of(row)),
        does: { registered: removes, active: removes, paused: removes },
      },
      retireIntegration: {
        command: ({ client: { operatorId, integrationId } }) =>
          retireIntegration(em(), { actor: operatorOf(operatorId), integrationId, reason: null, now }),
        does: { registered: removes, active: removes, paused: removes },
      },
    },
  };
}
