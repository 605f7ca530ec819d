import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { accountSettingsQuery } from './accountSettingsQuery.ts';
import { AddressPanel } from './AddressPanel.tsx';
import { DeletionPanel } from './DeletionPanel.tsx';
import { NotificationPanel } from './NotificationPanel.tsx';

const noVariables = {};

/** The account's address, notifications and deletion. While the address is being changed, each confirmation shows as soon as it arrives. */
export function AccountSettings() {
  const [result, read] = usePolledQuery({
    query: accountSettingsQuery,
    variables: noVariables,
    whileTrue: ({ accountSettings }) => accountSettings.emailChange != null,
    every: 4_000,
  });
  const readAgain = () => read({ requestPolicy: 'network-only' });
  return (
    <Loaded result={result} onRetry={readAgain}>
      {({ accountSettings: { email, emailChange, mutedNotifications, deletion } }) => (
        <>
          <AddressPanel email={email} change={emailChange} onChanged={readAgain} />
          <NotificationPanel muted={mutedNotifications} />
          <DeletionPanel email={email} deletion={deletion} onRefused={readAgain} />
        </>
      )}
    </Loaded>
  );
}
