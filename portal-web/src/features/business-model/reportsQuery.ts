import { graphql } from '../../graphql/graphql.ts';
import { reviewCountsFragment } from '../review-queue/reviewCountsFragment.ts';
import { agreementFragment } from './businessModelQuery.ts';

/** The changes of business model that other operators have reported, newest first. */
export const businessModelReportsQuery = graphql(
  `
    query BusinessModelReports($search: String, $after: String) {
      businessModelReports(search: $search, first: 20, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        edges {
          node {
            id
            description
            reportedAt
            slug
            status
            publicName
            commercialAgreements {
              ...AgreementFacts
            }
          }
        }
      }
      reviewCounts {
        ...ReviewCountsFacts
      }
    }
  `,
  [agreementFragment, reviewCountsFragment],
);
