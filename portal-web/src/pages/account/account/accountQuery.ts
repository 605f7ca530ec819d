import { graphql, type ResultOf } from '../../../graphql/graphql.ts';

export const accountPart = graphql(`
  fragment AccountPart on Query {
    account {
      operatorId
      passkeys {
        id
        name
        storage
        createdAt
        lastUsedAt
      }
      reset {
        id
        requestedAt
        reason
        dueAt
      }
      recoveryCodes {
        unused
        createdAt
      }
    }
  }
`);

export const accountQuery = graphql(
  `
    query Account {
      ...AccountPart
    }
  `,
  [accountPart],
);

export type AccountPasskey = ResultOf<typeof accountQuery>['account']['passkeys'][number];
