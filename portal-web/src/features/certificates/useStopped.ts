import { useEnvironment } from '../integration/environment.ts';
import { useIntegration } from '../integration/useIntegration.ts';

/** Whether the integration's status has every call in the environment shown refused. Then no certificate is in use, valid as it may be. */
export function useStopped(): boolean {
  const { status } = useIntegration().integration;
  const [environment] = useEnvironment();
  return status === 'retired' || (status === 'suspended' && environment === 'production');
}
