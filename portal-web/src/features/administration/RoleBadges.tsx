import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { roleWords, type OperatorRecord } from './operatorQueries.ts';

/** The roles that an account has been granted, and whether it is deleted or locked. */
export function RoleBadges({ roles, deleted, locked }: { roles: OperatorRecord['roles']; deleted: boolean; locked: boolean }) {
  return (
    <>
      {deleted && <StatusBadge tone="stopped">Deleted</StatusBadge>}
      {locked && <StatusBadge tone="stopped">Locked</StatusBadge>}
      {roles.map((role) => (
        <StatusBadge key={role} tone="role">
          {role === 'unknown' ? 'Unknown role' : roleWords[role].word}
        </StatusBadge>
      ))}
    </>
  );
}
