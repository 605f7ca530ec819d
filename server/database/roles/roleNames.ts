/** Whose connections are told apart: the three processes. Anyone who migrates and works at the terminal connects as the owner. */
export const processRoles = ['portal', 'machine_api', 'workers'] as const;
export type DatabaseRole = (typeof processRoles)[number];

/** How the roles of an installation begin, unless `DATABASE_ROLE_PREFIX` says otherwise. */
const defaultRolePrefix = 'oi';

/** The login roles of an installation (docs/operating.md, “Roles”). */
export type RoleNames = Readonly<Record<DatabaseRole | 'owner', string>>;

/** The names with this prefix. Two installations in one cluster need two prefixes. */
export function roleNames(prefix: string = defaultRolePrefix): RoleNames {
  return { owner: `${prefix}_owner`, portal: `${prefix}_portal`, machine_api: `${prefix}_machine_api`, workers: `${prefix}_workers` };
}
