import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** A page with one thing to do. */
export function NarrowPage({ children }: { children: ReactNode }) {
  return (
    <Stack gap="lg" maw={480} mx="auto">
      {children}
    </Stack>
  );
}
