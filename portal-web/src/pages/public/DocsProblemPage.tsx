import { Text } from '@mantine/core';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { CopyPage } from '../../features/docs/CopyPage.tsx';
import { DocsFrame } from '../../features/docs/DocsFrame.tsx';
import { withAddresses } from '../../features/docs/withAddresses.ts';
import { InlineMarkdown, Markdown } from '../../features/markdown/Markdown.tsx';
import { loadProblem } from '../../features/reference/loadProblem.ts';
import { useFrame } from '../../graphql/useFrame.ts';
import { paths } from '../../paths.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { NotFoundPage } from '../../ui/states/NotFoundPage.tsx';

export async function loader({ params: { code = '' } }: LoaderFunctionArgs) {
  const problem = await loadProblem(code);
  return problem && { code, ...problem };
}

/** What a problem's code means, beginning with what to do. */
export function Component() {
  const problem = useLoaderData<typeof loader>();
  const [{ data, error }] = useFrame();
  if (!problem) return <NotFoundPage />;
  const { code, title, status, lead, markdown } = problem;
  return (
    <DocsFrame>
      <PageHeader
        title={title}
        marks={
          <Text ff="monospace" c="dimmed">
            {status} {code}
          </Text>
        }
        lead={<InlineMarkdown source={lead} />}
        actions={<CopyPage path={paths.problem(code)} />}
      />
      <article>{(data ?? error) && <Markdown source={data ? withAddresses(markdown, data.service) : markdown} linked />}</article>
    </DocsFrame>
  );
}
