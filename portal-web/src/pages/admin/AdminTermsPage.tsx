import { Alert, Stack } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { useSession } from '../../features/session/SessionContext.ts';
import { PublishTermsForm } from '../../features/terms/PublishTermsForm.tsx';
import { currentTermsPart, currentTermsQuery, termsVersionsPart, termsVersionsQuery } from '../../features/terms/termsQueries.ts';
import { TermsVersionPanel } from '../../features/terms/TermsVersionPanel.tsx';
import { useFirstRead } from '../../graphql/useFirstRead.ts';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { graphql } from '../../graphql/graphql.ts';
import { pageLoader } from '../../graphql/pageLoader.ts';
import { share } from '../../graphql/questions.ts';

const pageQuery = graphql(
  `
    query AdminTermsPage($after: String) {
      ...CurrentTermsPart
      ...TermsVersionsPart
    }
  `,
  [currentTermsPart, termsVersionsPart],
);

export const loader = pageLoader(({ ask, plain }) => {
  if (!plain) return;
  ask(
    pageQuery,
    { after: null },
    share(currentTermsQuery, {}, ({ currentTerms }) => ({ currentTerms })),
    share(termsVersionsQuery, { after: null }, ({ termsVersions }) => ({ termsVersions })),
  );
});

/** Where administrators publish the Integration Terms. */
export function Component() {
  const { refresh } = useSession();
  const place = usePlace();
  const [result, read] = useQuery({ query: currentTermsQuery, requestPolicy: 'cache-and-network' });
  // The list is above the form. They are read together, so that the list does not push the form down.
  const [versions] = useQuery({ query: termsVersionsQuery, variables: { after: place.after }, requestPolicy: 'cache-and-network' });
  const ready = useFirstRead(result, versions);
  const [published, setPublished] = useState<number | null>(null);
  const reread = () => read({ requestPolicy: 'network-only' });

  function afterPublishing(version: number) {
    setPublished(version);
    reread();
    refresh();
  }

  return (
    <Loaded result={{ ...result, data: ready ? result.data : undefined }} onRetry={reread}>
      {({ currentTerms }) => (
        <>
          <PageHeader
            title="Integration Terms"
            lead={`Version ${currentTerms.version} is current. A new version takes effect for everybody at once: it must be accepted before anything is created, submitted or activated.`}
          />
          <Stack gap="xl">
            {published !== null && (
              <Alert color="green" variant="outline" icon={<IconCircleCheck aria-hidden />} role="status">
                Version {published} is published. Operators are being notified by email.
              </Alert>
            )}
            <TermsVersionPanel key={`versions ${currentTerms.version}`} current={currentTerms.version} />
            <Panel title="Publish a new version" lead="Start from the current text. Nobody else sees it until you publish.">
              <PublishTermsForm key={currentTerms.version} current={currentTerms} onPublished={afterPublishing} />
            </Panel>
          </Stack>
        </>
      )}
    </Loaded>
  );
}
