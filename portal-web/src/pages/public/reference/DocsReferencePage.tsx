import { useLoaderData, type LoaderFunctionArgs } from 'react-router';
import { CopyPage } from '../../../features/docs/CopyPage.tsx';
import { DocsFrame } from '../../../features/docs/DocsFrame.tsx';
import { loadReferencePage, referenceIndex } from '../../../features/reference/reference.ts';
import { Sections } from './Sections.tsx';
import { WithSample } from './WithSample.tsx';
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
  if (!page) return <NotFoundPage />;
  const { title, name, path, sections, samples } = page;
  return (
    <DocsFrame>
      <PageHeader title={title} actions={<CopyPage path={path} />} />
      <article>
        {samples ? <WithSample key={name} operation={name} samples={samples} sections={sections} /> : <Sections sections={sections} />}
      </article>
    </DocsFrame>
  );
}
