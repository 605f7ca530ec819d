import { useLoaderData, type LoaderFunctionArgs } from 'react-router';
import { CopyPage } from '../../../features/docs/CopyPage.tsx';
import classes from '../../../features/docs/docs.module.css';
import { DocsFrame } from '../../../features/docs/DocsFrame.tsx';
import { withAddresses } from '../../../features/docs/withAddresses.ts';
import { Markdown } from '../../../features/markdown/Markdown.tsx';
import { loadReferencePage, referenceIndex } from '../../../features/reference/reference.ts';
import { WithSample } from './WithSample.tsx';
import { useFrame } from '../../../graphql/useFrame.ts';
import { paths } from '../../../paths.ts';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { NotFoundPage } from '../../../ui/states/NotFoundPage.tsx';

const overview = { name: 'overview', title: 'API reference', path: paths.reference };

export async function loader({ params: { operation, type } }: LoaderFunctionArgs) {
  const called = referenceIndex.operations.find(({ name }) => name === operation);
  const sent = referenceIndex.events.find((each) => each.type === type);
  const subject = called
    ? { name: called.name, title: called.summary, path: paths.operation(called.name) }
    : sent
      ? { name: sent.type, title: sent.type, path: paths.event(sent.type) }
      : operation || type
        ? null
        : overview;
  const page = subject && (await loadReferencePage(subject.name));
  return subject && page && { ...subject, ...page };
}

/** An operation, an event, or the list of all of them, made from the descriptions of the interfaces. */
export function Component() {
  const page = useLoaderData<typeof loader>();
  const [{ data, error }] = useFrame();
  if (!page) return <NotFoundPage />;
  const { title, name, path, markdown, samples } = page;
  const article = (
    <article className={`${classes.words} ${classes.rows}`}>
      {(data ?? error) && <Markdown source={data ? withAddresses(markdown, data.service) : markdown} />}
    </article>
  );
  return (
    <DocsFrame>
      <PageHeader title={title} actions={<CopyPage path={path} />} />
      {samples ? (
        <WithSample key={name} operation={name} samples={samples}>
          {article}
        </WithSample>
      ) : (
        article
      )}
    </DocsFrame>
  );
}
