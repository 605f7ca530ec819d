import { useLoaderData, type LoaderFunctionArgs } from 'react-router';
import { useQuery } from 'urql';
import classes from '../../features/docs/docs.module.css';
import { GuideList } from '../../features/docs/GuideList.tsx';
import { loadGuide } from '../../features/docs/loadGuide.ts';
import { ProblemCodes } from '../../features/docs/ProblemCodes.tsx';
import { withAddresses } from '../../features/docs/withAddresses.ts';
import { Markdown } from '../../features/markdown/Markdown.tsx';
import { withoutTitle } from '../../features/markdown/withoutTitle.ts';
import { serviceQuery } from '../../graphql/serviceQuery.ts';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';
import { NotFoundPage } from '../../ui/states/NotFoundPage.tsx';

export function loader({ params: { guide = '' } }: LoaderFunctionArgs) {
  return loadGuide(guide);
}

const markers = { 'problem-codes': <ProblemCodes /> };

/** One guide, with links to the others. */
export function Component() {
  const guide = useLoaderData<typeof loader>();
  const [{ data, error }] = useQuery({ query: serviceQuery });
  if (!guide) return <NotFoundPage />;
  const markdown = withoutTitle(guide.markdown);
  return (
    <div className={classes.page}>
      <GuideList />
      <article>
        <PageHeading title={guide.title} lead={guide.lead} />
        {(data ?? error) && <Markdown source={data ? withAddresses(markdown, data.service) : markdown} markers={markers} />}
      </article>
    </div>
  );
}
