import { Alert, Anchor, Button, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { integrationPaths } from '../../paths.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import type { Deletion } from './accountSettingsQuery.ts';
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx';

type DeletionPanelProps = { email: string; deletion: Deletion; onRefused: () => void };

/** Offers to delete the account, and lists what has to be done first. */
export function DeletionPanel({ email, deletion, onRefused }: DeletionPanelProps) {
  const [asking, setAsking] = useState(false);
  const { submitted, undeleted } = deletion;
  const blocked = submitted.length > 0 || undeleted.length > 0;
  return (
    <Panel
      title="Delete account"
      lead="Retires your integrations and removes your address, passkeys, recovery codes and sessions. This cannot be undone. You can register again with the same address."
    >
      <Stack gap="md">
        {blocked && (
          <Alert variant="outline" color="gray" icon={<IconAlertTriangle aria-hidden />} title="Not possible yet">
            <List spacing={4}>
              {submitted.map(({ slug, publicName }) => (
                <List.Item key={`submitted ${slug}`}>
                  <Anchor component={Link} to={integrationPaths(slug).overview()}>
                    {publicName}
                  </Anchor>{' '}
                  is under review. Withdraw the submission or wait for the decision.
                </List.Item>
              ))}
              {undeleted.map(({ slug, publicName }) => (
                <List.Item key={`undeleted ${slug}`}>
                  <Anchor component={Link} to={integrationPaths(slug).deletions()}>
                    {publicName}
                  </Anchor>{' '}
                  still holds users’ production data. Retire it if you have not done so, delete every copy, and record the deletions. You
                  can record several at once.
                </List.Item>
              ))}
            </List>
          </Alert>
        )}
        {!blocked && <Text size="sm">Your account can be deleted now.</Text>}
        <div>
          <Button variant="default" disabled={blocked} onClick={() => setAsking(true)}>
            Delete account…
          </Button>
        </div>
        {asking && <DeleteAccountDialog email={email} deletion={deletion} onClose={() => setAsking(false)} onRefused={onRefused} />}
      </Stack>
    </Panel>
  );
}
