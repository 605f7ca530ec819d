import type { EntityManager } from '@mikro-orm/postgresql';
import { optionsOf, requiredOptionsOf, terminal as actor, UsageError, type AdminCommand, type CommandParsers } from './commandArguments.ts';
import { anyIntegration } from './domain/administration/allIntegrations.ts';
import { pauseAnyWebhookEndpoint, resumeAnyWebhookEndpoint } from './domain/administration/pauseAnyWebhookEndpoint.ts';
import { recordCommercialAgreement } from './domain/agreement/recordCommercialAgreement.ts';
import { withdrawCommercialAgreement } from './domain/agreement/withdrawCommercialAgreement.ts';
import { Client } from './domain/client/Client.ts';
import { overridableQuotas, type OverridableQuota } from './domain/client/quotas.ts';
import { setQuotaOverride } from './domain/client/setQuotaOverride.ts';
import { withdrawQuotaOverride } from './domain/client/withdrawQuotaOverride.ts';
import { GateAlreadySo } from './domain/gate/changeProductionGate.ts';
import { closeProductionGate } from './domain/gate/closeProductionGate.ts';
import { openProductionGate } from './domain/gate/openProductionGate.ts';
import { reactivateIntegration } from './domain/integration/status/reactivateIntegration.ts';
import { suspendIntegration } from './domain/integration/status/suspendIntegration.ts';
import { DomainError } from './domain/shared/DomainError.ts';
import { environments } from './domain/shared/environment.ts';

export const integrationUsage = `
  suspend-integration             --integration SLUG --reason TEXT
  reactivate-integration          --integration SLUG --reason TEXT [--in-place-of-owner yes]
                                  the option activates one that was suspended before its owner had ever activated it
  open-gate, close-gate           --reason TEXT [--integration SLUG]
                                  the integration's gate, or the service's if no integration is named
  pause-webhook-endpoint, resume-webhook-endpoint   --endpoint ID --reason TEXT
  set-quota                       --integration SLUG --environment sandbox|production --quota NAME --value N --reason TEXT [--expires-at TIME]
  withdraw-quota                  --integration SLUG --environment sandbox|production --quota NAME --reason TEXT
  record-agreement                --integration SLUG --reference TEXT --summary TEXT --valid-from DAY [--valid-until DAY]
  withdraw-agreement              --agreement ID --reason TEXT
`;

/**
 * What administrators do in the portal for other people's integrations, on the terminal: a sole administrator needs it for their own
 * (docs/specification.md, “Roles”).
 */
export const integrationCommands: CommandParsers = {
  'suspend-integration': (args) =>
    decision('suspend-integration', args, async (em, change) => {
      const { slug } = await suspendIntegration(em, change);
      return `${slug} is suspended.`;
    }),
  'reactivate-integration': (args) => {
    const options = requiredOptionsOf(
      'reactivate-integration',
      { required: ['integration', 'reason'], optional: ['in-place-of-owner'] },
      args,
    );
    const { integration, reason, 'in-place-of-owner': inPlace } = options;
    if (inPlace !== undefined && inPlace !== 'yes') throw new UsageError('--in-place-of-owner takes yes.');
    return async (em, now) => {
      const { id: integrationId } = await anyIntegration(em, integration);
      const { slug } = await reactivateIntegration(em, { actor, integrationId, reason, inPlaceOfOwner: inPlace === 'yes', now });
      return { words: inPlace === 'yes' ? `${slug} is active.` : `${slug} is active again.` };
    };
  },
  'pause-webhook-endpoint': (args) => endpointDecision('pause-webhook-endpoint', args, pauseAnyWebhookEndpoint),
  'resume-webhook-endpoint': (args) => endpointDecision('resume-webhook-endpoint', args, resumeAnyWebhookEndpoint),
  'open-gate': (args) => gate('open-gate', args, openProductionGate, 'open'),
  'close-gate': (args) => gate('close-gate', args, closeProductionGate, 'closed'),
  'set-quota': (args) => {
    const required = ['integration', 'environment', 'quota', 'value', 'reason'] as const;
    const options = requiredOptionsOf('set-quota', { required, optional: ['expires-at'] }, args);
    const { quota, reason, value, 'expires-at': end } = { ...options, quota: quotaOf(options.quota) };
    if (!/^\d{1,9}$/.test(value)) throw new UsageError('--value takes a whole number.');
    const expiresAt = end === undefined ? null : new Date(end);
    if (expiresAt !== null && Number.isNaN(expiresAt.getTime()))
      throw new UsageError('--expires-at takes a time such as 2026-12-31T00:00:00Z.');
    return async (em, now) => {
      const clientId = await clientOf(em, options);
      await setQuotaOverride(em, { actor, clientId, quota, value: Number(value), reason, expiresAt, now });
      return { words: `${quota} of ${clientId} is now ${value}; this applies from the next request.` };
    };
  },
  'withdraw-quota': (args) => {
    const options = requiredOptionsOf('withdraw-quota', { required: ['integration', 'environment', 'quota', 'reason'] }, args);
    const quota = quotaOf(options.quota);
    return async (em, now) => {
      const clientId = await clientOf(em, options);
      await withdrawQuotaOverride(em, { actor, clientId, quota, reason: options.reason, now });
      return { words: `${quota} of ${clientId} is back to the baseline.` };
    };
  },
  'record-agreement': (args) => {
    const required = ['integration', 'reference', 'summary', 'valid-from'] as const;
    const options = requiredOptionsOf('record-agreement', { required, optional: ['valid-until'] }, args);
    const { integration, reference, summary, 'valid-from': validFrom, 'valid-until': validUntil = null } = options;
    return async (em, now) => {
      const { id: integrationId, slug } = await anyIntegration(em, integration);
      const input = { integrationId, reference, summary, validFrom, validUntil };
      const { id } = await recordCommercialAgreement(em, { actor, input, now });
      return { result: id, words: `The agreement of ${slug} is recorded.` };
    };
  },
  'withdraw-agreement': (args) => {
    const { agreement: agreementId, reason } = requiredOptionsOf('withdraw-agreement', { required: ['agreement', 'reason'] }, args);
    return async (em, now) => {
      await withdrawCommercialAgreement(em, { actor, agreementId, reason, now });
      return { words: `${agreementId} is withdrawn.` };
    };
  },
};

type Change = { readonly actor: typeof actor; readonly integrationId: string; readonly reason: string; readonly now: Date };

function decision(command: string, args: readonly string[], decide: (em: EntityManager, change: Change) => Promise<string>): AdminCommand {
  const { integration, reason } = requiredOptionsOf(command, { required: ['integration', 'reason'] }, args);
  return async (em, now) => {
    const { id: integrationId } = await anyIntegration(em, integration);
    return { words: await decide(em, { actor, integrationId, reason, now }) };
  };
}

function endpointDecision(command: string, args: readonly string[], decide: typeof pauseAnyWebhookEndpoint): AdminCommand {
  const { endpoint: endpointId, reason } = requiredOptionsOf(command, { required: ['endpoint', 'reason'] }, args);
  return async (em, now) => {
    const { id, status } = await decide(em, { actor, endpointId, reason, now });
    return { words: `${id} is ${status}.` };
  };
}

function gate(command: string, args: readonly string[], move: typeof openProductionGate, wanted: 'open' | 'closed'): AdminCommand {
  const { integration, reason } = optionsOf(['integration', 'reason'], args);
  if (reason === undefined) throw new UsageError(`${command} needs --reason.`);
  return async (em, now) => {
    const integrationId = integration === undefined ? null : (await anyIntegration(em, integration)).id;
    const name = `The gate of ${integration ?? 'the service'}`;
    try {
      await move(em, { actor, integrationId, reason, now });
      return { words: `${name} is ${wanted}.` };
    } catch (error) {
      if (!(error instanceof GateAlreadySo)) throw error;
      return { words: `${name} was ${wanted} already; the reason is not recorded again.` };
    }
  };
}

function quotaOf(name: string): OverridableQuota {
  const quota = overridableQuotas.find((known) => known === name);
  if (quota === undefined) throw new UsageError(`The quota must be one of: ${overridableQuotas.join(', ')}.`);
  return quota;
}

async function clientOf(em: EntityManager, { integration, environment }: { integration: string; environment: string }): Promise<string> {
  const known = environments.find((each) => each === environment);
  if (known === undefined)
    throw new DomainError('invalid_request', { detail: `The environment must be one of: ${environments.join(', ')}.` });
  const { id } = await anyIntegration(em, integration);
  const client = await em.findOne(Client, { integrationId: id, environment: known });
  if (!client) throw new DomainError('not_found', { detail: `${integration} has no client in ${known}.` });
  return client.id;
}
