import { X509Certificate } from 'node:crypto';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { lookup } from 'node:dns/promises';
import { acmePair } from '../platform/acme/AcmePlan.ts';
import { lastFailure } from '../platform/acme/lastFailure.ts';
import { failureOfFolder } from '../platform/acme/LocalFault.ts';
import { readServerPair } from '../platform/tls/serverPair.ts';
import { endsSoon } from './certificates.ts';
import { warning, wrong, type Finding, type Look, type Place } from './finding.ts';

/** Whether the service can get its certificate by itself, and why it could not the last time. */
export async function examineAcme({ config: { acme }, clock }: Place): Promise<Look> {
  if (!acme) return [];
  const found: Finding[] = [];
  await access(acme.dir, constants.W_OK | constants.X_OK).catch((error: NodeJS.ErrnoException) => {
    const { words, remedy } = failureOfFolder(error);
    found.push(wrong(words, remedy));
  });
  for (const [name, variable] of acme.names) {
    const remedy = 'Have a record of it in the DNS (A, AAAA) lead to this machine: the authority asks it on port 80.';
    await lookup(name).catch(() => found.push(warning(`${variable}: there is no address for ${name}`, remedy)));
  }
  const failed = await lastFailure(acme);
  if (failed) {
    const { failures, notBefore, words, remedy } = failed;
    const times = failures === 1 ? 'once' : `${failures} times in a row`;
    const told = `${words}, ${times}; the next attempt is not before ${notBefore.toISOString()}`;
    // When the first attempt fails, a third of its lifetime is left.
    const shown = await readServerPair(acmePair(acme)).catch(() => undefined);
    const mayWait = shown && !endsSoon(new X509Certificate(shown.certPem), clock.now());
    found.push((mayWait ? warning : wrong)(told, remedy));
  }
  return found;
}
