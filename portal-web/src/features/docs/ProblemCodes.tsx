import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { paths } from '../../paths.ts';
import { type Column, DataTable } from '../../ui/lists/DataTable.tsx';
import { InlineMarkdown } from '../markdown/Markdown.tsx';

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
  if (!data) return <Text c="dimmed">{error ? 'The list could not be loaded. Reload the page.' : 'Loading…'}</Text>;
  return <DataTable caption="Problem codes" columns={columns} rows={data.service.problems} rowKey={idOf} rowId={idOf} />;
}

type Problem = ResultOf<typeof problemsQuery>['service']['problems'][number];

const columns: readonly Column<Problem>[] = [
  {
    header: 'Code',
    cell: ({ code, title }) => (
      <Anchor component={Link} to={paths.problem(code)} inherit ff="monospace" title={title} style={{ whiteSpace: 'nowrap' }}>
        {code}
      </Anchor>
    ),
    sortBy: ({ code }) => code,
  },
  { header: 'Status', cell: ({ status }) => status, sortBy: ({ status }) => status },
  { header: 'What to do', cell: ({ advice }) => <InlineMarkdown source={advice} /> },
];

function idOf({ code }: Problem): string {
  return code;
}
