import { Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { AccountSettings } from '../../features/account-settings/AccountSettings.tsx';
import { KeysPanel } from '../../features/account-settings/KeysPanel.tsx';
import { PasskeyPanel } from '../../features/account/PasskeyPanel.tsx';
import { ResetNotice } from '../../features/account/ResetNotice.tsx';
import { RecoveryCodePanel } from '../../features/account/RecoveryCodePanel.tsx';
import { SessionPanel } from '../../features/account/SessionPanel.tsx';
import { AcceptancesPanel } from '../../features/terms/AcceptancesPanel.tsx';
import { accountPart, accountQuery } from '../../features/account/accountQuery.ts';
import { sessionPage, sessionsPart, sessionsQuery } from '../../features/account/sessionQueries.ts';
import { accountSettingsPart, accountSettingsQuery } from '../../features/account-settings/accountSettingsQuery.ts';
import { termsAcceptancesPart, termsAcceptancesQuery } from '../../features/terms/termsQueries.ts';
import { useSession } from '../../features/session/SessionContext.ts';
import { useFirstRead } from '../../graphql/useFirstRead.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { PageLoading } from '../../ui/states/PageLoading.tsx';
import { graphql } from '../../graphql/graphql.ts';
import { pageLoader } from '../../graphql/pageLoader.ts';
import { share } from '../../graphql/questions.ts';

const pageQuery = graphql(
  `
    query AccountPage($first: Int!, $after: String) {
      ...AccountPart
      ...SessionsPart
      ...TermsAcceptancesPart
      ...AccountSettingsPart
    }
  `,
  [accountPart, sessionsPart, termsAcceptancesPart, accountSettingsPart],
);

export const loader = pageLoader(({ ask, plain }) => {
  if (!plain) return;
  const first = sessionPage(null);
  ask(
    pageQuery,
    first,
    share(accountQuery, {}, ({ account }) => ({ account })),
    share(sessionsQuery, first, ({ sessions }) => ({ sessions })),
    share(termsAcceptancesQuery, {}, ({ viewer }) => ({ viewer })),
    share(accountSettingsQuery, {}, ({ accountSettings }) => ({ accountSettings })),
  );
});

/** How the reader signs in to the account and recovers it, and which emails it gets. */
export function Component() {
  const { viewer } = useSession();
  const ready = useAccountRead();
  return (
    <>
      <PageHeader
        title="Account"
        lead={
          <>
            For <strong>{viewer?.email}</strong>: how you sign in, where you are signed in, and how to recover access.
          </>
        }
      />
      {ready ? (
        <Stack gap="lg">
          <ResetNotice />
          <PasskeyPanel />
          <SessionPanel />
          <RecoveryCodePanel />
          <AcceptancesPanel />
          <KeysPanel />
          <AccountSettings />
        </Stack>
      ) : (
        <PageLoading />
      )}
    </>
  );
}

/** Reads the data of all panels, and is true once everything is there. */
function useAccountRead(): boolean {
  const place = usePlace('sessions');
  const requestPolicy = 'cache-and-network';
  const [account] = useQuery({ query: accountQuery, requestPolicy });
  const [sessions] = useQuery({ query: sessionsQuery, variables: sessionPage(place.after), requestPolicy });
  const [acceptances] = useQuery({ query: termsAcceptancesQuery, requestPolicy });
  const [settings] = useQuery({ query: accountSettingsQuery, requestPolicy });
  return useFirstRead(account, sessions, acceptances, settings);
}
