import { Skeleton, Stack } from '@mantine/core';
import classes from './PageLoading.module.css';

/** A placeholder while a page is read, seen only if that takes a moment. It is as tall as the window, so that what follows does not move while it is in view. */
export function PageLoading() {
  return (
    <Stack gap="md" mih="100dvh" role="status" aria-label="Loading" className={classes.loading} data-page-loading>
      <Skeleton height={36} width="40%" />
      <Skeleton height={16} width="70%" />
      <Skeleton height={128} mt="md" />
    </Stack>
  );
}
