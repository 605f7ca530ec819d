import { graphql, type ResultOf } from '../../../graphql/graphql.ts';

export const failedJobsQuery = graphql(`
  query FailedJobs($filter: FailedJobFilterInput!, $order: AgeOrder!, $after: String) {
    failedJobs(filter: $filter, order: $order, first: 50, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          name
          payload
          attempts
          maxAttempts
          state
          lastError
          createdAt
          nextRunAt
        }
      }
    }
  }
`);

export const retryJobMutation = graphql(`
  mutation RetryJob($input: RetryJobInput!) {
    retryJob(input: $input) {
      id
      state
      attempts
      nextRunAt
    }
  }
`);

export type FailedJob = ResultOf<typeof failedJobsQuery>['failedJobs']['edges'][number]['node'];

/** How each state of a failed job is shown. */
export const jobStateWords = {
  retrying: { tone: 'waiting', word: 'Waiting for the next attempt' },
  running: { tone: 'working', word: 'Running' },
  failed: { tone: 'bad', word: 'Failed permanently' },
} as const;
