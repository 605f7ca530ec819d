import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { openClient } from '../connection/openPool.ts';
import { passwordOf } from './loginRoles.ts';
import { processRoles, roleNames } from './roleNames.ts';

/**
 * Lets one process connect as each of the roles, by passwords that follow from the owner's, so that no file has to keep them. The roles are
 * there once the database has been migrated.
 */
export async function setRolePasswords(ownerUrl: string, prefix?: string): Promise<void> {
  const names = roleNames(prefix);
  const client = await openClient(ownerUrl, 'migrate');
  try {
    for (const role of processRoles)
      await client.query(`alter role ${names[role]} login password '${verifierOf(passwordOf(ownerUrl, names[role]))}'`);
  } finally {
    await client.end();
  }
}

/** What PostgreSQL keeps of a password (RFC 5803). Its log may show statements, and must not show passwords. */
function verifierOf(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, 4096, 32, 'sha256');
  const keyed = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$4096:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
}
