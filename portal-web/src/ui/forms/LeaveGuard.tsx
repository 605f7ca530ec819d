import { Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from 'react-router';
import { useLeaveWarning } from '../states/useLeaveWarning.ts';
import { Dialog } from './Dialog.tsx';

/** While something is typed and not saved: asks before another page of the portal opens, and has the browser ask before it leaves the portal. */
export function LeaveGuard({ unsaved }: { unsaved: boolean }) {
  useLeaveWarning(unsaved);
  const blocker = useBlocker(({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname);
  if (blocker.state !== 'blocked') return null;
  return (
    <Dialog title="Leave without saving?" onClose={() => blocker.reset()}>
      <Stack gap="md">
        <Text>What you have typed on this page is kept nowhere else.</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => blocker.reset()}>
            Stay
          </Button>
          <Button color="red.9" onClick={() => blocker.proceed()}>
            Leave
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
