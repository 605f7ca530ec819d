import { Alert, Anchor } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { useQuery } from 'urql';
import { Markdown } from '../../features/markdown/Markdown.tsx';
import { termsQuery } from '../../features/terms/termsQueries.ts';
import { withoutTitle } from '../../features/markdown/withoutTitle.ts';
import { paths } from '../../paths.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { NarrowPage } from '../../ui/layout/NarrowPage.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { NotFoundPage } from '../../ui/states/NotFoundPage.tsx';

/** One published version of the Integration Terms. */
export function Component() {
  const { version: text = '' } = useParams();
  const version = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null;
  const [result, read] = useQuery({ query: termsQuery, variables: { version: version ?? 0 }, pause: version === null });
  if (version === null) return <NotFoundPage />;
  return (
    <Loaded whole result={result} onRetry={() => read()}>
      {({ terms, currentTerms }) => (
        <NarrowPage width={704}>
          <PageHeader
            title={terms.title}
            lead={
              <>
                Version {terms.version}, published <Time value={terms.publishedAt} form="date" />.
              </>
            }
          />
          {terms.version < currentTerms.version && (
            <Alert variant="outline" color="gray" role="note" mb="md">
              This is an old version.{' '}
              <Anchor component={Link} to={paths.terms(currentTerms.version)} inherit>
                Version {currentTerms.version}
              </Anchor>{' '}
              is current.
            </Alert>
          )}
          <Markdown source={withoutTitle(terms.markdown)} />
        </NarrowPage>
      )}
    </Loaded>
  );
}
