import { Loader, Text } from '@mantine/core';

/** Shown in place of an empty log while it is live. */
export function WaitingForCall() {
  return (
    <Text role="status" fw={600} mt="sm">
      <Loader size={14} mr="xs" aria-hidden />
      Waiting for your first call…
    </Text>
  );
}
