import type { Integration } from '../integration/integrationQuery.ts';
import type { Revocation } from './revocationsQuery.ts';

/** Why the machine API accepts no acknowledgement of the revocation while the integration has this status, or null. */
export function refusalOfAcknowledgements(status: Integration['status'], { environment }: Pick<Revocation, 'environment'>): string | null {
  if (status === 'retired') return 'The integration is retired, so the API refuses every call. Record the deletion here instead.';
  if (status === 'suspended' && environment === 'production') {
    return 'While the integration is suspended, the API accepts no acknowledgements in production. Record the deletion here instead.';
  }
  return null;
}
