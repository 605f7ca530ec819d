import { Alert, Anchor, Stack } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { useSession } from '../../features/session/SessionContext.ts';
import { AcceptancesPanel } from '../../features/terms/AcceptancesPanel.tsx';
import { AcceptTermsForm } from '../../features/terms/AcceptTermsForm.tsx';
import { termsToAcceptQuery } from '../../features/terms/termsQueries.ts';
import { paths } from '../../paths.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Time } from '../../ui/time/Time.tsx';

/** Where an operator reads and accepts the current terms, and sees what was accepted before. */
export function Component() {
  const { viewer, refresh } = useSession();
  const last = viewer?.acceptedTermsVersion ?? null;
  const variables = { accepted: last ?? 0, hasAccepted: last !== null };
  const [result, read] = useQuery({ query: termsToAcceptQuery, variables, requestPolicy: 'cache-and-network' });
  return (
    <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ currentTerms, accepted: before }) => {
        const accepted = last === currentTerms.version;
        return (
          <>
            <PageHeader
              title={accepted ? 'Integration Terms' : `Accept version ${currentTerms.version} of the Integration Terms`}
              documentTitle="Accept the Integration Terms"
              lead={
                accepted ? undefined : (
                  <>
                    Published <Time value={currentTerms.publishedAt} />. Until you accept it, you cannot create an integration, submit one
                    for review or activate one. Active integrations and all sandboxes keep running.
                  </>
                )
              }
            />
            <Stack gap="xl">
              {accepted ? (
                <Alert color="green" variant="outline" icon={<IconCircleCheck aria-hidden />} role="status">
                  You have accepted version {currentTerms.version}, the current version. There is nothing to do.{' '}
                  <Anchor component={Link} to={paths.terms(currentTerms.version)} inherit>
                    Read it again
                  </Anchor>{' '}
                  or go to{' '}
                  <Anchor component={Link} to={paths.integrations} inherit>
                    your integrations
                  </Anchor>
                  .
                </Alert>
              ) : (
                <AcceptTermsForm terms={currentTerms} accepted={before ?? null} onAccepted={refresh} />
              )}
              <div id="acceptances">
                <AcceptancesPanel />
              </div>
            </Stack>
          </>
        );
      }}
    </Loaded>
  );
}
