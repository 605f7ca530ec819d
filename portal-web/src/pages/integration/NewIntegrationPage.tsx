import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useQuery } from 'urql';
import type { DraftValues } from '../../features/new-integration/draft.ts';
import { readDraft } from '../../features/new-integration/draftStorage.ts';
import { DuplicateProfile } from '../../features/new-integration/DuplicateProfile.tsx';
import { NewIntegrationForm } from '../../features/new-integration/NewIntegrationForm.tsx';
import { useSession, type Viewer } from '../../features/session/SessionContext.ts';
import { currentTermsQuery } from '../../features/terms/termsQueries.ts';
import { useFrame } from '../../graphql/useFrame.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';

/** Creates an integration, step by step. `?from=<slug>` starts with the profile of one of the reader's integrations. */
export function Component() {
  const { viewer: operator } = useSession();
  const [terms, readTerms] = useQuery({ query: currentTermsQuery });
  const [facts, readService] = useFrame();
  const [search, setSearch] = useSearchParams();
  const [copied, setCopied] = useState<DraftValues | null>(null);
  const from = search.get('from');
  const data = operator && terms.data && facts.data ? { ...terms.data, service: facts.data.service, viewer: operator } : undefined;
  function retry() {
    readTerms({ requestPolicy: 'network-only' });
    readService({ requestPolicy: 'network-only' });
  }
  /** The copy is then kept like any other draft, so that it survives a reload. */
  function begin(values: DraftValues | null) {
    setCopied(values);
    setSearch({}, { replace: true });
  }
  return (
    <Loaded result={{ data, error: terms.error ?? facts.error }} onRetry={retry}>
      {({ viewer, currentTerms, service }) => (
        <>
          <PageHeader
            title="New integration"
            lead="It starts as a private draft with its own sandbox. Your draft is kept in this browser until you create the integration."
          />
          {from === null ? (
            <NewIntegrationForm viewer={viewer} terms={currentTerms} service={service} copied={copied} />
          ) : (
            <DuplicateProfile
              from={from}
              unfinished={unfinishedName(viewer, currentTerms.version)}
              onCopied={begin}
              onKept={() => begin(null)}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

function unfinishedName(viewer: Viewer, termsVersion: number): string | null {
  const draft = readDraft(viewer.operatorId ?? viewer.email, termsVersion);
  return draft && (draft.values.publicName.trim() || null);
}
