import type { Environment } from '../../shared/environment.ts';
import type { IntegrationFacts } from './IntegrationFacts.ts';

/** Whether the integration's status has every call in the environment refused. */
export function isStopped({ status }: Pick<IntegrationFacts, 'status'>, environment: Environment): boolean {
  return status === 'retired' || (status === 'suspended' && environment === 'production');
}
