import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { CopyPage } from '../../features/docs/CopyPage.tsx';
import classes from '../../features/docs/docs.module.css';
import { DocsFrame } from '../../features/docs/DocsFrame.tsx';
import { GuideSteps } from '../../features/docs/GuideSteps.tsx';
import { type Guide, guides } from '../../features/docs/guides.ts';
import { ProblemCodes } from '../../features/docs/ProblemCodes.tsx';
import { OnThisPage } from '../../features/docs/OnThisPage.tsx';
import { withAddresses } from '../../features/docs/withAddresses.ts';
import { kitVersion } from '../../features/integration/kitVersion.ts';
import { Markdown } from '../../features/markdown/Markdown.tsx';
import { headingsOf } from '../../features/markdown/parseMarkdown.ts';
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
  // What a guide says depends on the service’s addresses.
  const known = Boolean(data ?? error);
  return (
    <DocsFrame>
      <PageHeader title={guide.title} lead={guide.lead} actions={<CopyPage path={paths.guide(guide.name)} />} />
      <div className={classes.guide}>
        <OnThisPage headings={headingsOf(markdown).filter(({ level }) => level < 4)} />
        <article data-page-loading={!known || undefined}>
          {known && (
            <>
              <Markdown source={data ? withAddresses(markdown, data.service) : markdown} markers={markers} linked />
              <GuideSteps name={guide.name} />
            </>
          )}
        </article>
      </div>
    </DocsFrame>
  );
}

/** One file for each guide, loaded when it is first read. */
const sources = import.meta.glob<string>('../../../../docs/guides/*.md', { query: '?raw', import: 'default' });

/** A guide with its Markdown; null when there is none of this name. */
async function loadGuide(name: string): Promise<(Guide & { markdown: string }) | null> {
  const guide = guides.find((each) => each.name === name);
  const load = sources[`../../../../docs/guides/${name}.md`];
  return guide && load ? { ...guide, markdown: (await load()).replaceAll('{kit_version}', kitVersion) } : null;
}
