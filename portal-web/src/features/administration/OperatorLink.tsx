import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { Address } from '../../ui/values/Address.tsx';

/** An operator in an administrator's list: by address, or by ID once the account is deleted. */
export function OperatorLink({ id, name }: { id: string; name: string | null }) {
  return (
    <Anchor component={Link} to={paths.adminOperator(id)} inherit style={{ overflowWrap: 'anywhere' }}>
      {name === null ? id : <Address value={name} />}
    </Anchor>
  );
}
