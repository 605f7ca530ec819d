import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { NarrowPage } from '../../ui/layout/NarrowPage.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';

/** Says that the account has been deleted. */
export function Component() {
  return (
    <NarrowPage>
      <PageHeader title="Your account has been deleted" />
      <Text>You are signed out, and a final email is on its way. Your device still lists the passkey; delete it there.</Text>
      <Text size="sm" c="dimmed">
        You can{' '}
        <Anchor component={Link} to={paths.register}>
          register again
        </Anchor>{' '}
        at any time, with the same address or another one.
      </Text>
    </NarrowPage>
  );
}
