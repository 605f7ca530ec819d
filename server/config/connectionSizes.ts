import { z } from 'zod';
import { type ConnectionName, type ConnectionSizes, connectionUses } from '../database/connection/connectionUses.ts';

/** More than any PostgreSQL serves well. */
const mostConnections = 100;

/** The uses whose size a variable sets, with its bounds. */
const sizedUses = Object.entries(connectionUses).flatMap(([name, use]) =>
  'variable' in use ? [{ name: name as ConnectionName, variable: use.variable, least: use.least }] : [],
);

export const connectionVariables: readonly string[] = sizedUses.map(({ variable }) => variable);

const bounded = (least: number) => {
  const error = `must be a whole number from ${least} to ${mostConnections}`;
  return z.coerce.number({ error }).int(error).min(least, error).max(mostConnections, error).optional();
};
const variables = z.object(Object.fromEntries(sizedUses.map(({ variable, least }) => [variable, bounded(least)])));

/** Reads the variables of the connection budget. The second result names those that are invalid, with their rule. */
export function readConnectionSizes(env: Readonly<Record<string, string | undefined>>): readonly [ConnectionSizes, readonly string[]] {
  const parsed = variables.safeParse(env);
  if (!parsed.success) return [{}, parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)];
  const sizes = sizedUses.flatMap(({ name, variable }) => (parsed.data[variable] === undefined ? [] : [[name, parsed.data[variable]]]));
  return [Object.fromEntries(sizes) as ConnectionSizes, []];
}
