import { Stack } from '@mantine/core';
import { AccountSettings } from '../features/account-settings/AccountSettings.tsx';
import { PasskeyPanel } from '../features/account/PasskeyPanel.tsx';
import { RecoveryCodePanel } from '../features/account/RecoveryCodePanel.tsx';
import { SessionPanel } from '../features/account/SessionPanel.tsx';
import { AcceptancesPanel } from '../features/terms/AcceptancesPanel.tsx';
import { useSession } from '../features/session/SessionContext.ts';
import { PageHeading } from '../ui/PageHeading.tsx';

/** What keeps the account safe, and what it is told. */
export function Component() {
  const { viewer } = useSession();
  return (
    <>
      <PageHeading
        title="Account"
        lead={
          <>
            For <strong>{viewer?.email}</strong>: how you sign in, where you are signed in, and how you get back in.
          </>
        }
      />
      <Stack gap="lg">
        <PasskeyPanel />
        <SessionPanel />
        <RecoveryCodePanel />
        <AcceptancesPanel />
        <AccountSettings />
      </Stack>
    </>
  );
}
