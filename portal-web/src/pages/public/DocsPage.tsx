import { Anchor, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import classes from '../../features/docs/docs.module.css';
import { CopyPage } from '../../features/docs/CopyPage.tsx';
import { DocsFrame } from '../../features/docs/DocsFrame.tsx';
import { guideParts, guides } from '../../features/docs/guides.ts';
import { useSession } from '../../features/session/SessionContext.ts';
import { paths } from '../../paths.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';

const idOf = (part: string): string => part.toLowerCase().replaceAll(' ', '-');

/** The documentation for operators, by what it is needed for. */
export function Component() {
  const { viewer } = useSession();
  return (
    <DocsFrame>
      <PageHeader
        title="Documentation"
        lead="For developers who write the back end. Every command is ready to paste."
        actions={<CopyPage path={paths.docs} />}
      />
      {guideParts.map((part) => (
        <section key={part} aria-labelledby={idOf(part)}>
          <Title order={2} id={idOf(part)} mb="sm">
            {part}
          </Title>
          <ul className={classes.cards}>
            {guides
              .filter((each) => each.part === part)
              .map(({ name, title, lead }) => (
                <li key={name} className={classes.card}>
                  <h3>
                    <Link to={paths.guide(name)}>{title}</Link>
                  </h3>
                  <p>{lead}</p>
                </li>
              ))}
          </ul>
        </section>
      ))}
      <Title order={2} mb="xs">
        API reference
      </Title>
      <Text maw={640}>
        <Anchor component={Link} to={paths.reference} inherit>
          Every operation and event
        </Anchor>{' '}
        has a page, with samples in five languages{viewer?.kind === 'full' && ' that hold your own values'}. For your code generator, mock
        server or agent there are the OpenAPI 3.1 description as{' '}
        <Anchor href={paths.openApi} inherit>
          JSON
        </Anchor>{' '}
        and{' '}
        <Anchor href={paths.openApiYaml} inherit>
          YAML
        </Anchor>
        , and each page as Markdown, listed in{' '}
        <Anchor href={paths.llms} inherit>
          llms.txt
        </Anchor>
        . What changes is also in a{' '}
        <Anchor href={paths.changelogFeed} inherit>
          feed
        </Anchor>
        .
      </Text>
    </DocsFrame>
  );
}
