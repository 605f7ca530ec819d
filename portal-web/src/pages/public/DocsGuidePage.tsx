import { Anchor, Text } from '@mantine/core';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { useQuery } from 'urql';
import { CopyPage } from '../../features/docs/CopyPage.tsx';
import { DocsFrame } from '../../features/docs/DocsFrame.tsx';
import { type Guide, guides } from '../../features/docs/guides.ts';
import { withAddresses } from '../../features/docs/withAddresses.ts';
import { InlineMarkdown, Markdown } from '../../features/markdown/Markdown.tsx';
import { withoutTitle } from '../../features/markdown/withoutTitle.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useFrame } from '../../graphql/useFrame.ts';
import { paths } from '../../paths.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { type Column, DataTable } from '../../ui/lists/DataTable.tsx';
import { NotFoundPage } from '../../ui/states/NotFoundPage.tsx';

export function loader({ params: { guide = '' } }: LoaderFunctionArgs) {
  return loadGuide(guide);
}

const problemsQuery = graphql(`
  query Problems {
    service {
      problems {
        code
        status
        title
        advice
      }
    }
  }
`);

/** The catalogue of the machine API's errors, as the problem pages show them one by one. */
function ProblemCodes() {
  const [{ data, error }] = useQuery({ query: problemsQuery });
  if (!data) return <Text c="dimmed">{error ? 'The list could not be loaded. Reload the page.' : 'Loading …'}</Text>;
  return <DataTable caption="Problem codes" columns={columns} rows={data.service.problems} rowKey={idOf} rowId={idOf} />;
}

type Problem = ResultOf<typeof problemsQuery>['service']['problems'][number];

const columns: readonly Column<Problem>[] = [
  {
    header: 'Code',
    cell: ({ code, title }) => (
      <Anchor href={paths.problem(code)} inherit ff="monospace" title={title}>
        {code}
      </Anchor>
    ),
    sortBy: ({ code }) => code,
  },
  { header: 'Status', cell: ({ status }) => status, sortBy: ({ status }) => status },
  { header: 'What you can do', cell: ({ advice }) => <InlineMarkdown source={advice} /> },
];

function idOf({ code }: Problem): string {
  return code;
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

/** One file for each guide, loaded when it is first read. */
const sources = import.meta.glob<string>('../../../../docs/guides/*.md', { query: '?raw', import: 'default' });

/** A guide with its Markdown; null when there is none of this name. */
async function loadGuide(name: string): Promise<(Guide & { markdown: string }) | null> {
  const guide = guides.find((each) => each.name === name);
  const load = sources[`../../../../docs/guides/${name}.md`];
  return guide && load ? { ...guide, markdown: await load() } : null;
}
