import { curlWithCertificate, type CallFacts } from '../../../features/integration/firstCallCommands.ts';

/** The call that redeems a link code. The code is sent in the body, never in the address. */
export function redeemCommand(code: string, facts: CallFacts): string {
  return `${curlWithCertificate(facts)} \\
  -H 'Content-Type: application/json' \\
  -d '{"code": "${code}"}' ${facts.machineApiUrl}/link-codes/redeem`;
}

/** What is left of a code's ten minutes, as in "9:41", or null once they are over. */
export function countdown(expiresAt: Date, now: Date): string | null {
  const left = expiresAt.getTime() - now.getTime();
  if (left <= 0) return null;
  const seconds = Math.floor(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
