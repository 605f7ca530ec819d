import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const operatorsQuery = graphql(`
  query Operators($filter: OperatorFilterInput!, $order: OperatorOrder!, $after: String) {
    operators(filter: $filter, order: $order, first: 50, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          email
          roles
          createdAt
          deletedAt
          lockedAt
          integrationCount
        }
      }
    }
  }
`);

export const operatorPart = graphql(`
  fragment OperatorPart on Query {
    operator(id: $id) {
      id
      email
      roles
      createdAt
      deletedAt
      lockedAt
      lockReason
      integrationCount
      reset {
        id
        requestedBy
        requestedAt
        reason
        proof
        dueAt
      }
      access {
        sessions
        passkeys
        lastUsedAt
      }
    }
  }
`);

export const operatorQuery = graphql(
  `
    query Operator($id: ID!) {
      ...OperatorPart
    }
  `,
  [operatorPart],
);

export const grantRoleMutation = graphql(`
  mutation GrantRole($input: RoleInput!) {
    grantRole(input: $input) {
      id
      roles
    }
  }
`);

export const withdrawRoleMutation = graphql(`
  mutation WithdrawRole($input: RoleInput!) {
    withdrawRole(input: $input) {
      id
      roles
    }
  }
`);

export const lockAccountMutation = graphql(`
  mutation LockAccount($input: AccountLockInput!) {
    lockAccount(input: $input) {
      id
      lockedAt
      lockReason
    }
  }
`);

export const unlockAccountMutation = graphql(`
  mutation UnlockAccount($input: AccountLockInput!) {
    unlockAccount(input: $input) {
      id
      lockedAt
      lockReason
    }
  }
`);

export const requestAccountResetMutation = graphql(`
  mutation RequestAccountReset($input: RequestAccountResetInput!) {
    requestAccountReset(input: $input) {
      id
    }
  }
`);

export const approveAccountResetMutation = graphql(`
  mutation ApproveAccountReset($input: AccountResetInput!) {
    approveAccountReset(input: $input) {
      id
    }
  }
`);

export const cancelAnyAccountResetMutation = graphql(`
  mutation CancelAnyAccountReset($input: AccountResetInput!) {
    cancelAnyAccountReset(input: $input) {
      id
    }
  }
`);

export type OperatorRecord = ResultOf<typeof operatorQuery>['operator'];
export type ListedOperator = ResultOf<typeof operatorsQuery>['operators']['edges'][number]['node'];
export type Role = Exclude<OperatorRecord['roles'][number], 'unknown'>;

/** The roles that can be granted to an operator, and what each allows. */
export const roleWords = {
  reviewer: { word: 'Reviewer', may: 'Reviews submissions, except those of their own integrations.' },
  administrator: { word: 'Administrator', may: 'Sees everything here, opens and closes gates, suspends integrations, and grants roles.' },
} as const satisfies Record<Role, { word: string; may: string }>;
