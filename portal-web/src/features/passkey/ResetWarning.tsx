import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useFrame } from '../../graphql/useFrame.ts';
import { paths, signInPath } from '../../paths.ts';
import { ContactLink } from '../../ui/values/ContactLink.tsx';

/** The button that goes on to a reset, beside the warning. */
export const resetVerb = 'Reset this account';

/** What the link or the code of a reset ends, and what a person does who has not asked for it. */
export function ResetWarning() {
  const [{ data }] = useFrame();
  return (
    <Alert color="red" variant="outline" icon={<IconAlertTriangle aria-hidden />}>
      <Stack gap="sm">
        <Text fw={650}>A reset of this account was approved</Text>
        <Text size="sm">
          Continuing ends <strong>all passkeys, recovery codes and sessions</strong> of the account at once. You then have 20 minutes to
          create a new passkey in this browser.
        </Text>
        <Text size="sm">
          If you did not ask for the reset, do not continue:{' '}
          <Anchor component={Link} to={signInPath(paths.account)} inherit>
            sign in
          </Anchor>{' '}
          and cancel it on the page Account
          {data && (
            <>
              , or contact <ContactLink contact={data.service.supportContact} />
            </>
          )}
          .
        </Text>
      </Stack>
    </Alert>
  );
}
