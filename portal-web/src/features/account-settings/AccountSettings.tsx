import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { accountSettingsQuery } from './accountSettingsQuery.ts';
import { AddressPanel } from './AddressPanel.tsx';
import { DeletionPanel } from './DeletionPanel.tsx';
import { NotificationPanel } from './NotificationPanel.tsx';

const noVariables = {};

/** Address, notifications and deletion of the account. A change of address shows its confirmations as they come. */
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
