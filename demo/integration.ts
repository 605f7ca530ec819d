import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { PortalClient } from './PortalClient.ts';
import { waitFor } from './Steps.ts';
import { expectThat } from './Surprise.ts';

const client = z.object({ id: z.string(), environment: z.literal('sandbox'), commonName: z.string() });
const integration = z.object({ id: z.string(), slug: z.string(), clients: z.tuple([client]) });
const corpus = z.object({ state: z.enum(['queued', 'building', 'ready', 'failed']) });
const certificate = z.object({
  id: z.string(),
  status: z.string(),
  keyName: z.string(),
  failure: z.string().nullable(),
  notAfter: z.string().nullable(),
  bundlePath: z.string().nullable(),
});

export type DemoIntegration = { readonly id: string; readonly slug: string; readonly clientId: string; readonly commonName: string };
type IssuedCertificate = { readonly id: string; readonly keyName: string; readonly notAfter: string; readonly bundle: string };

/** Creates an integration with a made-up profile and the given scopes. */
export async function createIntegration(
  portal: PortalClient,
  { scopes, termsVersion }: { scopes: readonly string[]; termsVersion: number },
): Promise<DemoIntegration> {
  const suffix = randomBytes(3).toString('hex');
  const created = await portal.ask(
    'mutation ($input: CreateIntegrationInput!) { createIntegration(input: $input) { id slug clients { id environment commonName } } }',
    {
      variables: {
        input: {
          publicName: `Delivery Companion ${suffix}`,
          slug: `delivery-companion-${suffix}`,
          publicDescription: 'Shows people the progress of the car they ordered.',
          purpose: 'To show people the progress of the orders they share, and nothing else.',
          legalOperatorName: 'Example Operator',
          country: 'DE',
          supportEmail: 'help@example.com',
          websiteUrl: 'https://example.com',
          privacyPolicyUrl: 'https://example.com/privacy',
          termsOfServiceUrl: 'https://example.com/terms',
          orderLinkingUrl: 'https://example.com/link',
          requestedScopes: scopes,
          pollingCadenceMinutes: 15,
          webhookModel: 'none',
          termsVersion,
          attributionRulesAccepted: true,
          nonCommercialUseAccepted: true,
        },
      },
      answer: z.object({ createIntegration: integration }),
    },
  );
  const { id, slug, clients } = created.createIntegration;
  return { id, slug, clientId: clients[0].id, commonName: clients[0].commonName };
}

/** Waits until the worker has built the test data. */
export function corpusReady(portal: PortalClient, slug: string): Promise<z.infer<typeof corpus>> {
  return waitFor('The test data', 90, async () => {
    const answer = await portal.ask('query ($slug: String!) { integration(slug: $slug) { clients { corpus { state } } } }', {
      variables: { slug },
      answer: z.object({ integration: z.object({ clients: z.tuple([z.object({ corpus })]) }) }),
      background: true,
    });
    const built = answer.integration.clients[0].corpus;
    expectThat(built.state !== 'failed', 'The worker could not generate the test data; the reason is in the log of the service.');
    return built.state === 'ready' ? built : null;
  });
}

/** Uploads a certificate request, which starts the issuance. Needs a fresh passkey confirmation. */
export async function requestCertificate(portal: PortalClient, input: { clientId: string; csr: string }): Promise<string> {
  const answer = await portal.ask(
    'mutation ($input: RequestCertificateInput!) { requestCertificate(input: $input) { id status keyName failure notAfter bundlePath } }',
    { variables: { input }, answer: z.object({ requestCertificate: certificate }) },
  );
  return answer.requestCertificate.id;
}

/** Waits until the certificate is issued, then downloads its PEM bundle: the leaf first, then the public CA chain. */
export async function issuedCertificate(
  portal: PortalClient,
  { clientId, certificateId }: { clientId: string; certificateId: string },
): Promise<IssuedCertificate> {
  const { keyName, notAfter, bundlePath } = await waitFor('The certificate', 30, async () => {
    const answer = await portal.ask(
      'query ($clientId: ID!) { certificates(clientId: $clientId) { edges { node { id status keyName failure notAfter bundlePath } } } }',
      {
        variables: { clientId },
        answer: z.object({ certificates: z.object({ edges: z.array(z.object({ node: certificate })) }) }),
        background: true,
      },
    );
    const found = answer.certificates.edges.find(({ node }) => node.id === certificateId)?.node;
    expectThat(
      found !== undefined && found.status !== 'failed',
      `The certificate was not issued: ${found?.failure ?? 'the portal does not list it'}.`,
    );
    return found.status === 'issued' ? found : null;
  });
  expectThat(bundlePath !== null && notAfter !== null, 'The issued certificate has no bundle or no expiry date.');
  return { id: certificateId, keyName, notAfter, bundle: await portal.download(bundlePath) };
}
