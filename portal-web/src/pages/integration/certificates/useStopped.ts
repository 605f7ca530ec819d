import { useEnvironment } from '../../../features/integration/environment.ts';
import { useIntegration } from '../../../features/integration/useIntegration.ts';

/** Whether the integration's status has every call in the environment shown refused. Then no certificate is in use, valid as it may be. */
export function useStopped(): boolean {
  const { phases } = useIntegration().integration;
  const phase = phases[useEnvironment()[0]];
  return phase === 'suspended' || phase === 'over';
}
