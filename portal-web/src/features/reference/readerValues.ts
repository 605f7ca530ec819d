import type { LastCallFacts, ReaderClient, ReaderIntegration } from './readerQueries.ts';
import type { SlotValues } from './referenceTypes.ts';
import { placeholders } from './fillSample.ts';

/** A client that samples can be made for, under the name of its integration. */
export type Choice = { readonly slug: string; readonly words: string; readonly client: ReaderClient };

/** Every client of the reader's integrations, those of the newest integration first. */
export function choicesOf(integrations: readonly ReaderIntegration[]): Choice[] {
  return integrations.flatMap(({ slug, profile, clients }) =>
    clients.map((client) => ({ slug, client, words: `${profile.publicName}, ${client.environment}` })),
  );
}

/** The files of the certificate that made the last call; without one, of the newest certificate; without any, of the next one. */
function filesOf({ certificatesInUse, nextKeyName }: ReaderClient): string {
  const used = certificatesInUse.filter(({ lastUsedAt }) => lastUsedAt !== null);
  const last = used.toSorted((one, other) => String(other.lastUsedAt).localeCompare(String(one.lastUsedAt)))[0];
  return (last ?? certificatesInUse[0])?.keyName ?? nextKeyName;
}

/** What stands in a sample's places for this reader. Where nothing is known of theirs, the placeholder stays. */
export function readerValues(machineApiUrl: string, choice: Choice | null, facts: LastCallFacts | null): SlotValues {
  const unknown = placeholders(machineApiUrl);
  if (!choice) return unknown;
  const first = (list: { edges: readonly { node: { id: string } }[] } | null | undefined) => list?.edges[0]?.node.id;
  return {
    ...unknown,
    name: choice.client.commonName,
    files: filesOf(choice.client),
    order_id: first(facts?.orders) ?? unknown.order_id,
    vehicle_id: first(facts?.vehicles) ?? unknown.vehicle_id,
    revocation_id: first(facts?.revocations) ?? unknown.revocation_id,
  };
}
