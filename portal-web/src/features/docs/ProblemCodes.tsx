import { Anchor, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { graphql } from '../../graphql/graphql.ts';
import { paths } from '../../paths.ts';
import { InlineMarkdown } from '../markdown/Markdown.tsx';
import classes from '../markdown/Markdown.module.css';

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
export function ProblemCodes() {
  const [{ data, error }] = useQuery({ query: problemsQuery });
  if (!data) return <Text c="dimmed">{error ? 'The list could not be loaded. Reload the page.' : 'Loading …'}</Text>;
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">Code</th>
          <th scope="col">Status</th>
          <th scope="col">What you can do</th>
        </tr>
      </thead>
      <tbody>
        {data.service.problems.map(({ code, status, title, advice }) => (
          <tr key={code} id={code}>
            <td data-label="Code">
              <Anchor href={paths.problem(code)} inherit ff="monospace" title={title}>
                {code}
              </Anchor>
            </td>
            <td data-label="Status">{status}</td>
            <td data-label="What you can do">
              <InlineMarkdown source={advice} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
