import { certificateLifecycle } from '../../../server/domain/certificate/certificateStatus.ts';
import { p12Lifecycle } from '../../../server/domain/certificate/p12/package/p12Status.ts';
import { integrationLifecycle } from '../../../server/domain/integration/integrationStatus.ts';
import { submissionLifecycle } from '../../../server/domain/review/submissionStatus.ts';
import { corpusLifecycle } from '../../../server/domain/sandbox/corpusStatus.ts';
import { columnName } from '../../../server/domain/shared/lifecycle.ts';
import type { TransitionTable } from '../../../server/domain/shared/stateMachine.ts';
import { linkCodeLifecycle } from '../../../server/domain/sharing/linkCodeStatus.ts';
import { revocationLifecycle } from '../../../server/domain/sharing/revocationStatus.ts';
import { challengeLifecycle } from '../../../server/domain/webhook/challengeStatus.ts';
import { deliveryLifecycle } from '../../../server/domain/outbox/deliveryStatus.ts';
import { webhookEndpointLifecycle } from '../../../server/domain/outbox/webhookEndpointStatus.ts';

/** Every lifecycle that has a table, with the entity of its rows, if there is one. */
export const lifecycles = [
  { ...integrationLifecycle, entity: 'Integration' },
  { ...certificateLifecycle, entity: 'Certificate' },
  { ...p12Lifecycle, entity: null },
  { ...submissionLifecycle, entity: 'ReviewSubmission' },
  { ...corpusLifecycle, entity: 'SandboxCorpus' },
  { ...linkCodeLifecycle, entity: null },
  { ...revocationLifecycle, entity: null },
  { ...webhookEndpointLifecycle, entity: 'WebhookEndpoint' },
  { ...deliveryLifecycle, entity: null },
  { ...challengeLifecycle, entity: null },
] as const;
type Held = Pick<(typeof lifecycles)[number], 'table' | 'entity' | 'told'> & { readonly transitions: TransitionTable<string> };

/**
 * The properties that only the lifecycle's own functions write: its state, and what goes with a move. The insert of a row writes its first
 * state.
 */
function heldProperties({ transitions, told }: Held): string[] {
  const moves = Object.values(transitions).filter(({ from }) => from.length > 0);
  return [...new Set([...told.filter((property) => ['status', 'state'].includes(property)), ...moves.flatMap(({ sets }) => sets)])];
}

/**
 * The statements in a source, in SQL or through the ORM, that write a column of a lifecycle by themselves. What a lifecycle's `sets` writes
 * is in a placeholder, which does not count as a column. Assignments to entities are refused by their types.
 */
export function statusWrites(source: string): string[] {
  return withoutPlaceholders(source).flatMap((text) =>
    lifecycles.flatMap((lifecycle) => [...sqlWrites(text, lifecycle), ...ormWrites(text, lifecycle)]),
  );
}

function sqlWrites(text: string, lifecycle: Held): string[] {
  const { table } = lifecycle;
  const held = heldProperties(lifecycle);
  const begun = new Set<string>(Object.values(lifecycle.transitions).flatMap(({ from, sets }) => (from.length === 0 ? sets : [])));
  const named = (properties: readonly string[]) => properties.map((property) => columnName(property)).join('|');
  const columns = named(held);
  const assigned = new RegExp(String.raw`(?:^|[\s,(])(${columns})\s*=`, 'i');
  // A row begins with what its first action writes, though a later one may write it again.
  const listed = new RegExp(String.raw`\b(${named(held.filter((property) => !begun.has(property)))})\b`, 'i');
  const clause = String.raw`\bset\b(.*?)(?=\bwhere\b|\bfrom\b|\breturning\b|[;\`]|$)`;
  const updates = text.matchAll(new RegExp(String.raw`\bupdate\s+(?:only\s+)?${table}\b[^;\`]*?${clause}`, 'gis'));
  const upserts = text.matchAll(new RegExp(String.raw`\binsert\s+into\s+${table}\b[^;\`]*?\bdo\s+update\s+${clause}`, 'gis'));
  const inserts = text.matchAll(new RegExp(String.raw`\binsert\s+into\s+${table}\b[^(;\`]*\(([^)]*)\)`, 'gi'));
  return [
    ...[...updates, ...upserts].filter(([, set = '']) => assigned.test(set)),
    ...[...inserts].filter(([, list = '']) => listed.test(list)),
  ].map(([statement]) => statement);
}

function ormWrites(text: string, lifecycle: Held): string[] {
  const properties = heldProperties(lifecycle).join('|');
  const assigned = text.matchAll(new RegExp(String.raw`\bassign\(\s*\w+,\s*\{[^}]*\b(${properties})\b`, 'g'));
  if (lifecycle.entity === null) return [...assigned].map(([statement]) => statement);
  const writers = 'nativeUpdate|updateMany|upsert|upsertMany|insert|insertMany|createQueryBuilder|assign';
  const bulk = text.matchAll(new RegExp(String.raw`\b(${writers})\(\s*${lifecycle.entity}\b`, 'g'));
  const created = text.matchAll(new RegExp(String.raw`\bcreate\(\s*${lifecycle.entity},\s*\{[^}]*\bstatus\s*:`, 'g'));
  return [...assigned, ...bulk, ...created].map(([statement]) => statement);
}

/** The text with each placeholder emptied, and separately what each placeholder contained. */
function withoutPlaceholders(source: string): string[] {
  const texts: string[] = [];
  let text = '';
  let at = 0;
  for (let open = source.indexOf('${'); open >= 0; open = source.indexOf('${', at)) {
    let depth = 1;
    let end = open + 2;
    for (; depth > 0 && end < source.length; end += 1) depth += source[end] === '{' ? 1 : source[end] === '}' ? -1 : 0;
    text += source.slice(at, open);
    texts.push(...withoutPlaceholders(source.slice(open + 2, end - 1)));
    at = end;
  }
  return [text + source.slice(at), ...texts];
}
