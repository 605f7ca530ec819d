import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** The layout of a page with a single task. */
export function NarrowPage({ children }: { children: ReactNode }) {
  return (
    <Stack gap="lg" maw={480} mx="auto">
      {children}
    </Stack>
  );
}
