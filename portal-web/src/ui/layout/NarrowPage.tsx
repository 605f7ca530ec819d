import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';

type NarrowPageProps = {
  /** In pixels: more for a long form, or a text to read. */
  width?: number;
  children: ReactNode;
};

/** The layout of a page with a single task or text: one column in the middle. */
export function NarrowPage({ width = 480, children }: NarrowPageProps) {
  return (
    <Stack gap="lg" maw={width} mx="auto">
      {children}
    </Stack>
  );
}
