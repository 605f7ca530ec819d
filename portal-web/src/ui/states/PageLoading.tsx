import { Skeleton, Stack } from '@mantine/core';

/** A placeholder while a page is read. It is as tall as the window, so that what follows does not move while it is in view. */
export function PageLoading() {
  return (
    <Stack gap="md" mih="100dvh" role="status" aria-label="Loading">
      <Skeleton height={36} width="40%" />
      <Skeleton height={16} width="70%" />
      <Skeleton height={128} mt="md" />
    </Stack>
  );
}
