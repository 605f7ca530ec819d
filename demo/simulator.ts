import { z } from 'zod';
import type { PortalClient } from './PortalClient.ts';
import { expectThat } from './Surprise.ts';

const linkCode = z.object({ code: z.string().regex(/^[0-9]{10}$/), expiresAt: z.string() });
const change = z.object({
  resourceId: z.string(),
  connectionId: z.string(),
  from: z.string(),
  to: z.string(),
  revision: z.int(),
  shown: z.boolean(),
});
const revocation = z.object({ revocationId: z.string(), deletionDeadlineAt: z.string() });

export type SandboxChange = z.infer<typeof change>;
export type SandboxRevocation = z.infer<typeof revocation>;

/** Makes a link code of a test user for this many orders and stock vehicles. */
export async function generateSandboxLinkCode(
  portal: PortalClient,
  input: { clientId: string; orders: number; vehicles: number },
): Promise<z.infer<typeof linkCode>> {
  const answer = await portal.ask(
    'mutation ($input: GenerateSandboxLinkCodeInput!) { generateSandboxLinkCode(input: $input) { code expiresAt } }',
    { variables: { input }, answer: z.object({ generateSandboxLinkCode: linkCode }) },
  );
  return answer.generateSandboxLinkCode;
}

/** Takes one resource of the test data to its next stage, and returns every share of it that has changed. */
export async function advanceSandboxResource(
  portal: PortalClient,
  input: { clientId: string; resourceId: string },
): Promise<SandboxChange[]> {
  const answer = await portal.ask(
    'mutation ($input: AdvanceSandboxResourceInput!) { advanceSandboxResource(input: $input) { resourceId connectionId from to revision shown } }',
    { variables: { input }, answer: z.object({ advanceSandboxResource: z.array(change) }) },
  );
  return answer.advanceSandboxResource;
}

/** Revokes one resource, as its test user would. */
export async function revokeSandboxShare(
  portal: PortalClient,
  input: { clientId: string; resourceId: string },
): Promise<SandboxRevocation> {
  const answer = await portal.ask(
    'mutation ($input: RevokeSandboxShareInput!) { revokeSandboxShare(input: $input) { revocationId deletionDeadlineAt } }',
    { variables: { input }, answer: z.object({ revokeSandboxShare: revocation }) },
  );
  return answer.revokeSandboxShare;
}

const queue = z.object({ edges: z.array(z.object({ node: z.object({ id: z.string(), acknowledgedAt: z.string().nullable() }) })) });

/** When a deletion was acknowledged, according to the portal's list of deletions; null while it is outstanding. */
export async function acknowledgedAt(portal: PortalClient, slug: string, revocationId: string): Promise<string | null> {
  const edges = 'edges { node { id acknowledgedAt } }';
  const answer = await portal.ask(
    `query ($slug: String!) {
      outstanding: revocations(slug: $slug, order: newest) { ${edges} }
      acknowledged: revocations(slug: $slug, state: acknowledged, order: newest) { ${edges} }
    }`,
    { variables: { slug }, answer: z.object({ outstanding: queue, acknowledged: queue }) },
  );
  const nodes = [...answer.outstanding.edges, ...answer.acknowledged.edges].map(({ node }) => node);
  const found = nodes.find(({ id }) => id === revocationId);
  expectThat(found !== undefined, `The deletion queue does not contain ${revocationId}.`);
  return found.acknowledgedAt;
}
