import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Says that a list is empty, and why or what to do. */
export function Empty({ children }: { children: ReactNode }) {
  return (
    <Text c="dimmed" component="div" maw={640} py="md">
      {children}
    </Text>
  );
}
