import type { Rights } from '../../../server/database/roles/grants.ts';
import { processRoles } from '../../../server/database/roles/roleNames.ts';

/**
 * What the processes of a release need and may no longer do with the rights of a later one, each as `role what`. A rule for rows counts as
 * kept only if it is there word for word.
 */
export function lostRights(before: Rights, now: readonly Rights[]): string[] {
  const protectedNow = new Set(now.flatMap(({ rows }) => Object.keys(rows)));
  const granted = new Set(now.flatMap((rights) => heldRights(rights, protectedNow)));
  const wider = (held: string) => [held, held.replace(/\(\w+\)$/, ''), held.replace(/ (sees|adds): .*$/, ' $1: true')];
  return heldRights(before, new Set(Object.keys(before.rows))).filter((held) => !wider(held).some((each) => granted.has(each)));
}

/** Each verb on a table or on one of its columns, each function, and each rule for rows. A table without rules shows all of its rows. */
function heldRights({ tables, functions, rows }: Rights, protectedTables: ReadonlySet<string>): string[] {
  return processRoles.flatMap((role) => [
    ...Object.entries(tables).flatMap(([table, grants]) => {
      const verbs = verbsOf(grants[role] ?? '').map((verb) => `${role} ${table} ${verb}`);
      return verbs.length === 0 || protectedTables.has(table)
        ? verbs
        : [...verbs, `${role} ${table} sees: true`, `${role} ${table} adds: true`];
    }),
    ...Object.entries(functions).flatMap(([name, roles]) => (roles.includes(role) ? [`${role} calls ${name}`] : [])),
    ...Object.entries(rows).flatMap(([table, { [role]: rule }]) =>
      rule === undefined ? [] : [`${role} ${table} sees: ${rule.see}`, `${role} ${table} adds: ${rule.add}`],
    ),
  ]);
}

/** `select, update(a, b)` as `select`, `update(a)` and `update(b)`. */
export function verbsOf(grants: string): string[] {
  return [...grants.matchAll(/(\w+)(?:\(([^)]*)\))?(?:, |$)/g)].flatMap(([, verb = '', columns]) =>
    columns === undefined ? [verb] : columns.split(', ').map((column) => `${verb}(${column})`),
  );
}
