import { certificateFacts } from '../../../../server/domain/certificate/certificateFacts.ts';
import type { Client } from './integrationQuery.ts';

/** The name of the files of the client's newest certificate. Before there is one, it is the name that the command for a new key uses. */
export function keyNameOf({ certificatesInUse, nextKeyName }: Pick<Client, 'certificatesInUse' | 'nextKeyName'>): string {
  const newest = certificatesInUse.find(({ status }) => certificateFacts[status].stage === 'working') ?? certificatesInUse[0];
  return newest?.keyName ?? nextKeyName;
}
