import { useQuery } from 'urql';
import { Loaded } from '../../ui/Loaded.tsx';
import { accountSettingsQuery } from './accountSettingsQuery.ts';
import { AddressPanel } from './AddressPanel.tsx';
import { DeletionPanel } from './DeletionPanel.tsx';
import { NotificationPanel } from './NotificationPanel.tsx';

/** Address, notifications and deletion of the account. */
export function AccountSettings() {
  const [result, read] = useQuery({ query: accountSettingsQuery });
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
