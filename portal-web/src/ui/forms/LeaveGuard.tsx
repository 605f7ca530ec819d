import { Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from 'react-router';
import { givenUp, useLeaveWarning } from '../states/useLeaveWarning.ts';
import { Dialog } from './Dialog.tsx';

/**
 * While something is typed and not saved: asks before another page of the portal opens, and has the browser ask before it leaves the portal.
 * `onLeave` is called when the reader gives it up.
 */
export function LeaveGuard({ unsaved, onLeave }: { unsaved: boolean; onLeave: () => void }) {
  useLeaveWarning(unsaved);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved && nextLocation.state !== givenUp && currentLocation.pathname !== nextLocation.pathname,
  );
  if (blocker.state !== 'blocked') return null;
  function leave() {
    onLeave();
    blocker.proceed?.();
  }
  return (
    <Dialog title="Leave without saving?" onClose={() => blocker.reset()}>
      <Stack gap="md">
        <Text>What you have typed on this page will be discarded.</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => blocker.reset()}>
            Stay
          </Button>
          <Button color="red.9" onClick={leave}>
            Leave
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
