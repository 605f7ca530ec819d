import type { Phase } from '../integration/integrationQuery.ts';

/** Why the machine API accepts no acknowledgement in an environment where the integration stands like this, or null. */
export function refusalOfAcknowledgements(phase: Phase): string | null {
  if (phase === 'over') return 'The integration is retired, so the API refuses every call. Record the deletion here instead.';
  if (phase === 'suspended') {
    return 'While the integration is suspended, the API accepts no acknowledgements in production. Record the deletion here instead.';
  }
  return null;
}
