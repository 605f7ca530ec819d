import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const accountQuery = graphql(`
  query Account {
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

export type AccountPasskey = ResultOf<typeof accountQuery>['account']['passkeys'][number];
