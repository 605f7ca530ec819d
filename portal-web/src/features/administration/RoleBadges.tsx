import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { roleWords, type Role } from './operatorQueries.ts';

/** What an account may do beside being an operator, and whether it is gone or locked. */
export function RoleBadges({ roles, deleted, locked }: { roles: readonly Role[]; deleted: boolean; locked: boolean }) {
  return (
    <>
      {deleted && <StatusBadge tone="stopped">Deleted</StatusBadge>}
      {locked && <StatusBadge tone="stopped">Locked</StatusBadge>}
      {roles.map((role) => (
        <StatusBadge key={role} tone="role">
          {roleWords[role].word}
        </StatusBadge>
      ))}
    </>
  );
}
