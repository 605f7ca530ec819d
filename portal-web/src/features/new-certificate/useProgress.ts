import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';

/** The client's certificates in use and its latest other one: what was requested last is among them, whatever has become of it. */
const progressQuery = graphql(`
  query CertificateProgress($clientId: ID!) {
    certificates(clientId: $clientId, first: 3) {
      edges {
        node {
          id
          status
          serial
          keyName
          failure
          bundlePath
        }
      }
    }
  }
`);

/** What is known of a certificate that was just requested. */
export type Progress = ResultOf<typeof progressQuery>['certificates']['edges'][number]['node'];

const fresh = { requestPolicy: 'network-only' } as const;

/**
 * Follows a certificate from its request until it is issued, revoked or has failed. Null until it has been read. It reads by itself, whatever
 * page of the list the reader is on.
 */
export function useProgress(clientId: string, certificateId: string): Progress | null {
  const find = ({ certificates }: ResultOf<typeof progressQuery>) => certificates.edges.find(({ node }) => node.id === certificateId)?.node;
  const [{ data }] = usePolledQuery({
    query: progressQuery,
    variables: { clientId },
    whileTrue: (read) => (find(read)?.status ?? 'pending') === 'pending',
    every: 1000,
    context: fresh,
  });
  return (data && find(data)) ?? null;
}
