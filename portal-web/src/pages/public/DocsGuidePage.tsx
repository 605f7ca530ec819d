import { useLoaderData, type LoaderFunctionArgs } from 'react-router';
import { CopyPage } from '../../features/docs/CopyPage.tsx';
import { DocsFrame } from '../../features/docs/DocsFrame.tsx';
import { loadGuide } from '../../features/docs/loadGuide.ts';
import { ProblemCodes } from '../../features/docs/ProblemCodes.tsx';
import { withAddresses } from '../../features/docs/withAddresses.ts';
import { Markdown } from '../../features/markdown/Markdown.tsx';
import { withoutTitle } from '../../features/markdown/withoutTitle.ts';
import { useFrame } from '../../graphql/useFrame.ts';
import { paths } from '../../paths.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { NotFoundPage } from '../../ui/states/NotFoundPage.tsx';

export function loader({ params: { guide = '' } }: LoaderFunctionArgs) {
  return loadGuide(guide);
}

const markers = { 'problem-codes': <ProblemCodes /> };

/** One guide, with links to the others. */
export function Component() {
  const guide = useLoaderData<typeof loader>();
  const [{ data, error }] = useFrame();
  if (!guide) return <NotFoundPage />;
  const markdown = withoutTitle(guide.markdown);
  return (
    <DocsFrame>
      <PageHeader title={guide.title} lead={guide.lead} actions={<CopyPage path={paths.guide(guide.name)} />} />
      <article>
        {(data ?? error) && <Markdown source={data ? withAddresses(markdown, data.service) : markdown} markers={markers} />}
      </article>
    </DocsFrame>
  );
}
