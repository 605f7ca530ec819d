import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from 'urql';
import { useFrame } from '../../graphql/useFrame.ts';
import { useSession } from '../session/SessionContext.ts';
import { lastCallQuery, readerClientsQuery, type LastCallFacts } from './readerQueries.ts';
import { choicesOf, readerValues, type Choice } from './readerValues.ts';
import type { SlotValues } from './referenceTypes.ts';

export type Reader = {
  readonly isSignedIn: boolean;
  /** Whether it is known whose values these are. */
  readonly isKnown: boolean;
  readonly choices: readonly Choice[];
  readonly chosen: Choice | null;
  readonly choose: (clientId: string) => void;
  /** Null until the service has said its addresses. */
  readonly values: SlotValues | null;
  readonly developmentCa: boolean;
  /** Of the chosen client; null until it is known, and for readers without a client. */
  readonly facts: LastCallFacts | null;
  /** What could not be read, if anything. */
  readonly unread: 'clients' | 'lastCall' | null;
  readonly readAgain: () => void;
};

/** Who reads a page of the reference, with the values of the client that they chose last. */
export function useReader(operation: string): Reader {
  const { state, viewer } = useSession();
  const isSignedIn = viewer?.kind === 'full';
  const [{ data: service }] = useFrame();
  const [{ data: clients, error }, readClients] = useQuery({ query: readerClientsQuery, pause: !isSignedIn });
  const [wanted, choose] = useLocalStorage({ key: 'svc.docs.client', defaultValue: '' });
  const choices = isSignedIn && clients ? choicesOf(clients.integrations.edges.map(({ node }) => node)) : [];
  const chosen = choices.find(({ client }) => client.id === wanted) ?? choices[0] ?? null;
  const environment = chosen?.client.environment ?? 'sandbox';
  const [{ data: facts, error: factsError }, readFacts] = useQuery({
    query: lastCallQuery,
    variables: { clientId: chosen?.client.id ?? '', operation, slug: chosen?.slug ?? '', environment, sandbox: environment === 'sandbox' },
    pause: !chosen,
    requestPolicy: 'cache-and-network',
  });
  const known = (chosen && facts) ?? null;
  const { machineApiUrl, developmentCa = false } = service?.service ?? {};
  const isKnown = state !== 'loading' && (!isSignedIn || clients !== undefined || error !== undefined);
  return {
    isSignedIn,
    isKnown,
    choices,
    chosen,
    choose,
    values: machineApiUrl && isKnown ? readerValues(machineApiUrl, chosen, known) : null,
    developmentCa,
    facts: known,
    unread: isSignedIn && !clients && error ? 'clients' : chosen && !facts && factsError ? 'lastCall' : null,
    readAgain: () => (chosen ? readFacts : readClients)({ requestPolicy: 'network-only' }),
  };
}
