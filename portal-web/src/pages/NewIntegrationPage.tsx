import { useQuery } from 'urql';
import { NewIntegrationForm } from '../features/new-integration/NewIntegrationForm.tsx';
import { useSession } from '../features/session/SessionContext.ts';
import { currentTermsQuery } from '../features/terms/termsQueries.ts';
import { serviceQuery } from '../graphql/serviceQuery.ts';
import { Loaded } from '../ui/Loaded.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';

/** Makes an integration, step by step. */
export function Component() {
  const { viewer: operator } = useSession();
  const [terms, readTerms] = useQuery({ query: currentTermsQuery });
  const [facts, readService] = useQuery({ query: serviceQuery });
  const data = operator && terms.data && facts.data ? { viewer: operator, ...terms.data, ...facts.data } : undefined;
  function retry() {
    readTerms({ requestPolicy: 'network-only' });
    readService({ requestPolicy: 'network-only' });
  }
  return (
    <Loaded result={{ data, error: terms.error ?? facts.error }} onRetry={retry}>
      {({ viewer, currentTerms, service }) => (
        <>
          <PageHeading
            title="New integration"
            lead="It starts as a private draft with a synthetic sandbox. What you type is kept in this browser until you create it."
          />
          <NewIntegrationForm viewer={viewer} terms={currentTerms} service={service} />
        </>
      )}
    </Loaded>
  );
}
