import { certificateFacts } from '../../../../server/domain/certificate/certificateFacts.ts';
import type { Client } from './integrationQuery.ts';

/** Whether the client has a certificate that it can call with. */
export function hasIssued({ certificatesInUse }: Pick<Client, 'certificatesInUse'>): boolean {
  return certificatesInUse.some(({ status }) => certificateFacts[status].stage === 'working');
}
