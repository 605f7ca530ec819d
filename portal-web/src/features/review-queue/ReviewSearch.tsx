import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { SearchField } from '../../ui/lists/SearchField.tsx';
import { useSession } from '../session/SessionContext.ts';

type ReviewSearchProps = { value: string; onChange: (value: string) => void; children?: ReactNode };

/** The search field of the reviewers' lists, with what narrows them below it. Only administrators see who owns an integration, so only they can search by owner. */
export function ReviewSearch({ value, onChange, children }: ReviewSearchProps) {
  const { viewer } = useSession();
  const description = viewer?.roles.includes('administrator')
    ? 'Part of a name or slug, the owner’s address, or a complete identifier'
    : 'Part of a name or slug, or a complete identifier: int_ or sub_';
  return (
    <Stack gap="sm">
      <SearchField label="Search" description={description} value={value} onChange={onChange} />
      {children}
    </Stack>
  );
}
