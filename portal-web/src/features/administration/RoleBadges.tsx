import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { roleWords, type Role } from './operatorQueries.ts';

/** What an account may do beside being an operator, and whether it is gone. */
export function RoleBadges({ roles, deleted }: { roles: readonly Role[]; deleted: boolean }) {
  return (
    <>
      {deleted && <StatusBadge tone="stopped">Deleted</StatusBadge>}
      {roles.map((role) => (
        <StatusBadge key={role} tone="role">
          {roleWords[role].word}
        </StatusBadge>
      ))}
    </>
  );
}
