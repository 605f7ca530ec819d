import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';

export const auditTrailPart = graphql(`
  fragment AuditTrailPart on Query {
    auditTrail(own: $own, filter: $filter, first: 50, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          occurredAt
          actorType
          actorId
          actorName
          action
          subjectType
          subjectId
          subjectName
          operatorId
          operatorName
          integrationId
          integrationName
          requestId
          ip
          details
        }
      }
    }
  }
`);

export const auditTrailQuery = graphql(
  `
    query AuditTrail($own: Boolean!, $filter: AuditFilterInput!, $after: String) {
      ...AuditTrailPart
    }
  `,
  [auditTrailPart],
);

export const auditExportQuery = graphql(`
  query AuditExport($filter: AuditFilterInput!) {
    auditExport(filter: $filter) {
      entries
      identifiers
    }
  }
`);

export type AuditFilter = VariablesOf<typeof auditExportQuery>['filter'];
export type AuditEntry = ResultOf<typeof auditTrailQuery>['auditTrail']['edges'][number]['node'];
