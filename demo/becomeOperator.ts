import { z } from 'zod';
import { newCertificateRequest } from '../kit/src/index.ts';
import { acceptTerms, confirmPasskey, openAccount } from './account.ts';
import { type Credentials, saveDemoFiles } from './demoFiles.ts';
import { corpusReady, createIntegration, type DemoIntegration, issuedCertificate, requestCertificate } from './integration.ts';
import type { PortalClient } from './PortalClient.ts';
import { SoftwarePasskey } from './SoftwarePasskey.ts';
import type { Steps } from './Steps.ts';
import { expectThat } from './Surprise.ts';

const service = z.object({
  portalUrl: z.string(),
  machineApiUrl: z.string(),
  developmentMailbox: z.boolean(),
  developmentCa: z.boolean(),
  scopes: z.array(z.object({ name: z.string() })),
});

export type Journey = {
  readonly portal: PortalClient;
  readonly steps: Steps;
  readonly scopes: readonly string[];
  readonly baseUrl: string;
};

/** What the portal says of itself. The demo needs a development service. */
export async function findService(portal: PortalClient): Promise<z.infer<typeof service>> {
  const { service: facts } = await portal.ask('{ service { portalUrl machineApiUrl developmentMailbox developmentCa scopes { name } } }', {
    answer: z.object({ service }),
  });
  expectThat(
    facts.portalUrl === portal.origin,
    `The portal's own address is ${facts.portalUrl}, and passkeys are bound to it. Use --portal ${facts.portalUrl}`,
  );
  expectThat(
    facts.developmentMailbox,
    'This portal sends real mail (SMTP_URL is set); the demo needs the development mailbox to read its link.',
  );
  expectThat(
    facts.developmentCa,
    'This service has no development certificate for the demo to trust; the demo works only with `npm start`.',
  );
  return facts;
}

/** The steps in the portal: account, integration, certificate, files. */
export async function becomeOperator(journey: Journey, folder: string) {
  const { portal, steps, scopes, baseUrl } = journey;
  const passkey = new SoftwarePasskey();
  await openAccount(portal, passkey, steps);
  const termsVersion = await steps.run(
    'Accept the Integration Terms',
    () => acceptTerms(portal),
    (version) => `version ${version}`,
  );
  const integration = await steps.run(
    'Create an integration',
    () => createIntegration(portal, { scopes, termsVersion }),
    ({ slug }) => `${slug}, scopes: ${scopes.length === 7 ? 'all seven' : scopes.join(', ')}`,
  );
  await steps.run(
    'Wait for the test data',
    () => corpusReady(portal, integration.slug),
    ({ state }) => state,
  );
  const credentials = await obtainCertificate(journey, integration, passkey);
  const { id, slug, clientId, commonName } = integration;
  const facts = {
    portalUrl: portal.origin,
    baseUrl,
    integrationId: id,
    slug,
    clientId,
    commonName,
    certificateId: credentials.certificateId,
    scopes,
  };
  const files = await steps.run(
    'Save the files',
    () => saveDemoFiles(folder, credentials.keyName, credentials, facts),
    () => folder,
  );
  return { integration, credentials, files, passkey };
}

async function obtainCertificate(
  { portal, steps }: Journey,
  { clientId, commonName }: DemoIntegration,
  passkey: SoftwarePasskey,
): Promise<Credentials & { certificateId: string; keyName: string }> {
  const { keyPem, requestPem } = await steps.run(
    'Create a key and a request',
    async () => newCertificateRequest(commonName),
    () => `EC P-256, CN=${commonName}`,
  );
  await steps.run(
    'Confirm with the passkey',
    () => confirmPasskey(portal, passkey),
    () => 'valid for five minutes',
  );
  const certificateId = await steps.run(
    'Request the certificate',
    () => requestCertificate(portal, { clientId, csr: requestPem }),
    (id) => id,
  );
  const issued = await steps.run(
    'Wait for it and download it',
    () => issuedCertificate(portal, { clientId, certificateId }),
    ({ notAfter }) => `valid until ${notAfter.slice(0, 10)}`,
  );
  return {
    certificateId,
    keyName: issued.keyName,
    key: keyPem,
    cert: issued.bundle,
    ca: await portal.download('/dev/machine-api-ca.pem'),
  };
}
