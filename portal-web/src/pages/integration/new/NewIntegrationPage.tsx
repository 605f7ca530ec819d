import { Button, Group, Text } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useQuery } from 'urql';
import { integrationQuery } from '../../../features/integration/integrationQuery.ts';
import type { DraftValues } from '../../../features/new-integration/draft.ts';
import { readDraft } from '../../../features/new-integration/draftStorage.ts';
import { NewIntegrationForm } from './NewIntegrationForm.tsx';
import { copyOf } from '../../../features/profile/profileValues.ts';
import { useSession, type Viewer } from '../../../features/session/SessionContext.ts';
import { currentTermsQuery } from '../../../features/terms/termsQueries.ts';
import { useFrame } from '../../../graphql/useFrame.ts';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { PageLoading } from '../../../ui/states/PageLoading.tsx';

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

type DuplicateProfileProps = {
  /** The slug of the integration to copy. */
  from: string;
  /** The name of an unfinished draft in this browser, or null. */
  unfinished: string | null;
  onCopied: (values: DraftValues) => void;
  onKept: () => void;
};

/** Copies the profile of one of the reader's integrations into the form for a new one. It asks before it replaces an unfinished draft. */
function DuplicateProfile({ from, unfinished, onCopied, onKept }: DuplicateProfileProps) {
  const [result, read] = useQuery({ query: integrationQuery, variables: { slug: from } });
  return (
    <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ integration }) => {
        const copy = () => onCopied(copyOf(integration));
        return unfinished === null ? (
          <AtOnce onShown={copy} />
        ) : (
          <Panel title="You have an unfinished draft" lead="This browser keeps one draft at a time.">
            <Text>
              Duplicating {integration.profile.publicName} will replace “{unfinished}”, which you have not created yet.
            </Text>
            <Group gap="sm" mt="md">
              <Button variant="default" onClick={onKept}>
                Continue with “{unfinished}”
              </Button>
              <Button onClick={copy}>Duplicate {integration.profile.publicName}</Button>
            </Group>
          </Panel>
        );
      }}
    </Loaded>
  );
}

function AtOnce({ onShown }: { onShown: () => void }) {
  const shown = useEffectEvent(onShown);
  useEffect(() => shown(), []);
  return <PageLoading />;
}
