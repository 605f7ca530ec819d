import { graphql, type ResultOf, type VariablesOf } from '../../../graphql/graphql.ts';

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

export const accountSettingsPart = graphql(`
  fragment AccountSettingsPart on Query {
    accountSettings {
      email
      emailChange {
        newEmail
        currentConfirmed
        newConfirmed
        expiresAt
      }
      mutedNotifications
      deletion {
        retires {
          slug
          publicName
        }
        submitted {
          slug
          publicName
        }
        undeleted {
          slug
          publicName
        }
      }
    }
  }
`);

export const accountSettingsQuery = graphql(
  `
    query AccountSettings {
      ...AccountSettingsPart
    }
  `,
  [accountSettingsPart],
);

type Settings = ResultOf<typeof accountSettingsQuery>['accountSettings'];
export type EmailChange = NonNullable<Settings['emailChange']>;
export type Topic = Settings['mutedNotifications'][number];
export type Deletion = Settings['deletion'];

export const sessionsPart = graphql(`
  fragment SessionsPart on Query {
    sessions(first: $first, after: $after) {
      edges {
        cursor
        node {
          id
          current
          createdAt
          lastUsedAt
          expiresAt
          ip
          userAgent
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const sessionsQuery = graphql(
  `
    query Sessions($first: Int!, $after: String) {
      ...SessionsPart
    }
  `,
  [sessionsPart],
);

/** The variables of the query for a page of sessions. */
export function sessionPage(after: string | null): VariablesOf<typeof sessionsQuery> {
  return { first: 20, after };
}

type SessionPage = ResultOf<typeof sessionsQuery>['sessions'];
export type AccountSession = SessionPage['edges'][number]['node'];

export const endSessionMutation = graphql(`
  mutation EndSession($input: EndSessionInput!) {
    endSession(input: $input)
  }
`);

export const endOtherSessionsMutation = graphql(`
  mutation EndOtherSessions {
    endOtherSessions
  }
`);
