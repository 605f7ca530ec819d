import { useQuery } from 'urql';
import { graphql } from '../../graphql/graphql.ts';
import type { Integration } from './integrationQuery.ts';

const turnQuery = graphql(`
  query Turn($slug: String!) {
    ownSubmissions(slug: $slug, first: 1) {
      edges {
        node {
          id
          waitingFor
        }
      }
    }
  }
`);

/** Whether the reviewers of a submitted integration wait for its owner's answer. */
export function useAsked({ slug, status }: Pick<Integration, 'slug' | 'status'>): boolean {
  const [{ data }] = useQuery({ query: turnQuery, variables: { slug }, pause: status !== 'submitted', requestPolicy: 'cache-and-network' });
  return status === 'submitted' && data?.ownSubmissions.edges[0]?.node.waitingFor === 'operator';
}
