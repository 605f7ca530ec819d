import type { Client } from './integrationQuery.ts';

/** What the files of the client's newest certificate are called; before there is one, what the command to make a key will call them. */
export function keyNameOf({ certificatesInUse, nextKeyName }: Pick<Client, 'certificatesInUse' | 'nextKeyName'>): string {
  const newest = certificatesInUse.find(({ status }) => status === 'issued') ?? certificatesInUse[0];
  return newest?.keyName ?? nextKeyName;
}
