import { useState } from 'react';
import { certificateFacts } from '../../../../../../server/domain/certificate/certificateFacts.ts';
import { p12Facts } from '../../../../../../server/domain/certificate/p12/package/p12Facts.ts';
import { graphql, type ResultOf } from '../../../../graphql/graphql.ts';
import { usePolledQuery } from '../../../../graphql/usePolledQuery.ts';

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
          p12 {
            status
            claimUntil
          }
        }
      }
    }
  }
`);

/** What is known of a certificate that was just requested. */
export type Progress = ResultOf<typeof progressQuery>['certificates']['edges'][number]['node'];

const fresh = { requestPolicy: 'network-only' } as const;

/** `reread` reads at once. */
export type Following = { readonly progress: Progress | null; readonly reread: () => void };

/**
 * Follows a certificate from its request until it is issued and, if it has a package, handed over; or until it is revoked or has failed. Null
 * until it has been read, and where there is nothing to follow. It reads by itself, whatever page of the list the reader is on.
 */
export function useProgress(clientId: string, certificateId: string | null): Following {
  const [waits, setWaits] = useState(false);
  const find = ({ certificates }: ResultOf<typeof progressQuery>) => certificates.edges.find(({ node }) => node.id === certificateId)?.node;
  const [{ data }, reexecute] = usePolledQuery({
    query: progressQuery,
    variables: { clientId },
    whileTrue: (read) => isUnderWay(find(read)),
    // While a package waits, nothing changes but by its owner, or after a quarter of an hour.
    every: waits ? 10_000 : 1000,
    pause: certificateId === null,
    context: fresh,
  });
  const found = (data && find(data)) ?? null;
  const ready = !!found?.p12 && p12Facts[found.p12.status].stage === 'ready';
  if (ready !== waits) setWaits(ready);
  return { progress: found, reread: () => reexecute(fresh) };
}

function isUnderWay(found: Progress | undefined): boolean {
  return (
    !found || certificateFacts[found.status].stage === 'pending' || (found.p12 !== null && p12Facts[found.p12.status].stage === 'ready')
  );
}
