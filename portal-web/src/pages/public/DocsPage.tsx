import { Anchor, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import classes from '../../features/docs/docs.module.css';
import { guides } from '../../features/docs/guides.ts';
import { paths } from '../../paths.ts';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';

/** The documentation for operators. */
export function Component() {
  return (
    <>
      <PageHeading title="Documentation" lead="For developers who write the back end. Every command is ready to paste." />
      <ul className={classes.cards}>
        {guides.map(({ name, title, lead }) => (
          <li key={name} className={classes.card}>
            <h2>
              <Link to={paths.guide(name)}>{title}</Link>
            </h2>
            <p>{lead}</p>
          </li>
        ))}
      </ul>
      <Title order={2} mb="xs">
        API reference
      </Title>
      <Text maw={640}>
        The machine API has an OpenAPI 3.1 description, available as{' '}
        <Anchor href={paths.openApi} inherit>
          JSON
        </Anchor>{' '}
        and as{' '}
        <Anchor href={paths.openApiYaml} inherit>
          YAML
        </Anchor>
        . It covers every path, parameter, header, response and problem, with examples. Use it with your code generator, mock server or API
        viewer.
      </Text>
    </>
  );
}
