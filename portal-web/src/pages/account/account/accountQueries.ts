import type { Viewer } from '../../../features/session/SessionContext.ts';
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

/** The switches for optional emails, in the order in which they are shown. */
export const notificationWords = {
  reviews: { label: 'Reviews', description: 'Decisions on your submissions, and questions from reviewers.' },
  certificates: { label: 'Certificates', description: '30, 14, 7 and 1 days before a certificate stops working.' },
  quotas: { label: 'Quotas', description: 'When 80% and 100% of an hourly quota are used.' },
  webhooks: {
    label: 'Webhooks',
    description: 'When every attempt at an endpoint has failed for 1 hour, 1 day and 5 days, and when there are dead letters to replay.',
  },
  submissions: { label: 'Submissions', description: 'When an integration of another operator is submitted for review.', role: 'reviewer' },
  answers: {
    label: 'Answers',
    description: 'When an owner answers a question about a submission that is yours or unassigned.',
    role: 'reviewer',
  },
  businessModels: { label: 'Business models', description: 'When an owner reports a change of business model.', role: 'reviewer' },
  suspensions: { label: 'Suspensions', description: 'When another administrator suspends an integration.', role: 'administrator' },
  overdueDeletions: {
    label: 'Overdue deletions',
    description: 'When deletions of production data were not acknowledged within 7 days, and whether the integration was suspended for it.',
    role: 'administrator',
  },
  accountResets: {
    label: 'Resets of accounts',
    description: 'When another administrator asks to reset an account, which a second one has to approve.',
    role: 'administrator',
  },
} as const satisfies Record<Topic, { label: string; description: string; role?: Viewer['roles'][number] }>;
