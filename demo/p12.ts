import { z } from 'zod';
import { OperatorClient } from '../kit/src/index.ts';
import type { DemoIntegration } from './integration.ts';
import { notingWaits } from './notingWaits.ts';
import type { PortalClient } from './PortalClient.ts';
import { type Steps, waitFor } from './Steps.ts';
import { expectThat, Surprise } from './Surprise.ts';
import { expectRefusal } from './syncedCopy.ts';

const requested = z.object({ certificate: z.object({ id: z.string() }), claimToken: z.string() });
const claimed = z.object({ fileName: z.string().endsWith('.p12'), package: z.string(), password: z.string() });
const listed = z.object({ id: z.string(), p12: z.object({ status: z.string(), claimUntil: z.string().nullable() }).nullable() });

type Story = {
  readonly portal: PortalClient;
  readonly steps: Steps;
  readonly baseUrl: string;
  readonly ca: string;
  readonly integration: DemoIntegration;
};

/**
 * A second certificate whose key the service makes: requested, claimed once as a P12 package, used, and revoked. The package stays in memory,
 * and neither the claim token nor the password is printed.
 */
export async function claimAndRevokeP12({ portal, steps, baseUrl, ca, integration: { clientId } }: Story): Promise<void> {
  const { certificate, claimToken } = await steps.run(
    'Request a P12 package',
    () => requestP12(portal, clientId),
    (answer) => answer.certificate.id,
  );
  const certificateId = certificate.id;
  await steps.run(
    'Wait until it is ready',
    () => packageReady(portal, clientId, certificateId),
    () => 'to be claimed within 15 minutes',
  );
  const {
    fileName,
    package: bytes,
    password,
  } = await steps.run(
    'Claim it',
    () => claimP12(portal, { certificateId, token: claimToken }),
    (answer) => `${answer.fileName} and its password; neither is printed or saved here`,
  );
  await steps.run(
    'Claim it again',
    () => expectRefused(() => claimP12(portal, { certificateId, token: claimToken })),
    () => 'refused: a package is handed over once',
  );
  // The package is in no file, so the kit is handed what it would read from one.
  const identity = { tls: { pfx: Buffer.from(bytes, 'base64'), passphrase: password } };
  const credentials = { current: () => Promise.resolve(identity) };
  const client = new OperatorClient({ baseUrl, credentials, ca, expect: { environment: 'sandbox' }, time: notingWaits(steps) });
  try {
    await steps.run(
      'Call with the package',
      async () => {
        const { certificate: used } = await client.capabilities();
        expectThat(used.id === certificateId, 'The machine API knows the call by another certificate.');
      },
      () => `200, opened from ${fileName}`,
    );
    await steps.run(
      'Revoke its certificate',
      () => revokeCertificate(portal, certificateId),
      () => 'the first certificate works until its own end again',
    );
    await steps.run(
      'Call with it once more',
      () => expectRefusal(client.capabilities(), { status: 401, code: 'client_certificate_revoked' }),
      () => '401 client_certificate_revoked, on the same connection',
    );
  } finally {
    client.close();
  }
}

async function requestP12(portal: PortalClient, clientId: string): Promise<z.infer<typeof requested>> {
  const answer = await portal.ask('mutation ($input: RequestP12Input!) { requestP12(input: $input) { certificate { id } claimToken } }', {
    variables: { input: { clientId } },
    answer: z.object({ requestP12: requested }),
  });
  return answer.requestP12;
}

/** Waits until a worker has made the key, the certificate and the package. */
function packageReady(portal: PortalClient, clientId: string, certificateId: string): Promise<z.infer<typeof listed>> {
  return waitFor('The package', 60, async () => {
    const answer = await portal.ask(
      'query ($clientId: ID!) { certificates(clientId: $clientId) { edges { node { id p12 { status claimUntil } } } } }',
      {
        variables: { clientId },
        answer: z.object({ certificates: z.object({ edges: z.array(z.object({ node: listed })) }) }),
        background: true,
      },
    );
    const found = answer.certificates.edges.find(({ node }) => node.id === certificateId)?.node;
    const status = found?.p12?.status ?? 'missing';
    expectThat(status === 'making' || status === 'ready', `The package was not made; its status is “${status}”.`);
    return found && status === 'ready' ? found : null;
  });
}

async function claimP12(portal: PortalClient, input: { certificateId: string; token: string }): Promise<z.infer<typeof claimed>> {
  const answer = await portal.ask('mutation ($input: ClaimP12Input!) { claimP12(input: $input) { fileName package password } }', {
    variables: { input },
    answer: z.object({ claimP12: claimed }),
  });
  return answer.claimP12;
}

async function revokeCertificate(portal: PortalClient, certificateId: string): Promise<void> {
  const answer = await portal.ask('mutation ($input: RevokeCertificateInput!) { revokeCertificate(input: $input) { status } }', {
    variables: { input: { certificateId, reason: 'cessation_of_operation' } },
    answer: z.object({ revokeCertificate: z.object({ status: z.string() }) }),
  });
  expectThat(answer.revokeCertificate.status === 'revoked', 'The certificate was not revoked.');
}

/** The portal must refuse this, and not fail. */
async function expectRefused(action: () => Promise<unknown>): Promise<void> {
  const refusal = await action().then(
    () => null,
    (error: unknown) => error,
  );
  expectThat(refusal instanceof Surprise && refusal.facts.code === 'CONFLICT', 'The package was handed over a second time.');
}
