import { graphql, type ResultOf } from '../../../graphql/graphql.ts';

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
