import type { Change } from '../../../server/domain/tracking/diff.ts';

type Json = string | number | boolean | Json[] | { [key: string]: Json };

/** Replays history items as an operator would; returns the state after the changes. */
export function applyChanges(state: Record<string, Json>, changes: readonly Change[]): Record<string, Json> {
  const next = structuredClone(state);
  for (const { path, to } of changes) setAt(next, path.split(/[.[\]]+/).filter(Boolean), to);
  return (prune(next) ?? {}) as Record<string, Json>;
}

function setAt(root: Record<string, Json>, keys: string[], to: Json | undefined): void {
  let here = root as Record<string, Json | undefined>;
  keys.slice(0, -1).forEach((key, index) => {
    here[key] ??= /^\d+$/.test(keys[index + 1] ?? '') ? [] : {};
    here = here[key] as Record<string, Json | undefined>;
  });
  here[keys.at(-1) ?? ''] = to;
}

/** Drops what no longer has a value. */
function prune(value: Json | undefined | null): Json | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const kept = value.map(prune).filter((item) => item !== undefined);
    return kept.length > 0 ? kept : undefined;
  }
  const kept = Object.entries(value).flatMap(([key, inner]) => {
    const rest = prune(inner);
    return rest === undefined ? [] : [[key, rest] as const];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}
