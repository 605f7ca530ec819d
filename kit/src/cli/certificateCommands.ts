import { open, rename, writeFile } from 'node:fs/promises';
import { newCertificateRequest } from '../certificates/certificateRequest.ts';
import { checkPair } from '../certificates/checkPair.ts';
import { renewWhenDue } from '../certificates/renewWhenDue.ts';
import { KitError, Problem } from '../client/errors.ts';
import type { Context } from './context.ts';
import { printTimer } from './renewalTimer.ts';
import { credentialsOf, pathOf, readNamed } from './settings.ts';

/** Makes a key that only its owner can read, and the request for it. A key that is there stays. */
export async function makeRequest(context: Context): Promise<void> {
  const commonName = context.word(0, 'The common name, as the page Certificates shows it,');
  if (!/^svc:(?:sandbox|production):cli_[0-9a-z]{26}$/.test(commonName))
    throw new KitError('usage', 'The common name is svc:ENVIRONMENT:CLIENT_ID.');
  const { key = 'client.key' } = await context.settings();
  const { keyPem, requestPem } = newCertificateRequest(commonName);
  const file = await open(pathOf(context.folder, key), 'wx', 0o600).catch((cause: unknown) => {
    throw new KitError('usage', `${key} is there already.`, {
      nextStep: 'Keep it, or move it away first: a certificate may need it.',
      cause,
    });
  });
  await file.writeFile(keyPem);
  await file.sync();
  await file.close();
  await writeFile(pathOf(context.folder, 'client.csr'), requestPem);
  context.print(
    { key, request: 'client.csr' },
    `${key} stays here. Upload client.csr on the page Certificates, then \`npx svc cert install FILE\`.`,
  );
}

/** Checks a downloaded certificate against the key and the settings, and puts it in its place. */
export async function installCertificate(context: Context): Promise<void> {
  const { cert = 'client.pem', key = 'client.key', environment } = await context.settings();
  const certPem = await context.file('Name the file that the page Certificates gave you.');
  const keyPem = await readNamed(context.folder, key, { nextStep: 'Put the key of the request there, or run `npx svc csr` first.' });
  const { commonName, validTo } = checkPair(certPem, keyPem, { environment });
  const path = pathOf(context.folder, cert);
  await writeFile(`${path}.new`, certPem);
  await rename(`${path}.new`, path);
  context.print(
    { commonName, validTo },
    `The certificate of ${commonName} is in ${cert}, and its own end is ${validTo.toISOString()}. Next: \`npx svc doctor\`.`,
  );
}

export async function renew(context: Context): Promise<void> {
  if (context.flags['print-timer'] === true) return printTimer(context);
  const settings = await context.settings();
  const credentials = credentialsOf(context.folder, settings);
  const renewal = await renewWhenDue(await context.client(), credentials, context).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'renewal_not_enabled') throw error;
    const nextStep = `Its owner switches it on at ${settings.portalUrl}, on the page Certificates of the integration.`;
    throw new Problem({ ...error.details, detail: 'Renewal is off for this client.' }, nextStep);
  });
  const until = renewal.expiresAt.toISOString();
  const text = renewal.renewed
    ? `Renewed until ${until}.`
    : renewal.pending
      ? 'The service is signing; run it again.'
      : `Not due. The certificate’s own end is ${until}.`;
  context.print(renewal, text);
}
