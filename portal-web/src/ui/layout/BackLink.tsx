import { Anchor } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'react-router';

/** A link to the page above this one. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Anchor component={Link} to={to} size="sm" display="inline-flex" style={{ alignItems: 'center', gap: 4, width: 'fit-content' }}>
      <IconArrowLeft size={16} aria-hidden /> {children}
    </Anchor>
  );
}
