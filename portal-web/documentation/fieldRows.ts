import type { FieldRow } from '../src/features/reference/referenceTypes.ts';
import type { Contract, Referring, Schema } from './contract.ts';

/** The operation that answers a snapshot as its schema describes it. */
const snapshots: Readonly<Record<string, string>> = { Order: 'getOrder', Vehicle: 'getVehicle' };

/** Every value in an object, with its path: `production.started_on`, `tombstones[].revocation_id`. Snapshots are described at their operation. */
export function fieldRows(contract: Contract, schema: Referring<Schema>, path = ''): FieldRow[] {
  const { properties = {}, required = [] } = contract.resolve(schema);
  return Object.entries(properties).flatMap(([property, value]) => {
    const name = `${path}${property}`;
    const { description = '', ...resolved } = contract.resolve(value);
    const items = resolved.items && contract.resolve(resolved.items);
    const words = wordsOf(description, snapshotsIn(contract, resolved.items ?? value) ?? '');
    const row = { name, type: typeOf(contract, value), required: required.includes(property), words };
    if (items?.properties && resolved.items) return [row, ...fieldRows(contract, resolved.items, `${name}[].`)];
    return resolved.properties ? [row, ...fieldRows(contract, value, `${name}.`)] : [row];
  });
}

/** A schema in a few words, such as “integer, 1 to 500” or “list of strings, at most 7”. */
export function typeOf(contract: Contract, schema: Referring<Schema>): string {
  const resolved = contract.resolve(schema);
  const { type, format, minimum, maximum, maxItems, items, oneOf } = resolved;
  const choice = resolved.const ?? resolved.enum;
  if (choice !== undefined) return `${Array.isArray(choice) && choice.length > 1 ? 'one of ' : ''}${inCode([choice].flat())}`;
  if (oneOf) return oneOf.map((each) => contract.nameOf(each)?.toLowerCase()).join(' or ');
  if (type === 'array')
    return `list${items ? ` of ${plural(typeOf(contract, items))}` : ''}${maxItems ? `, at most ${maxItems.toLocaleString('en')}` : ''}`;
  if (format === 'date-time') return 'time (RFC 3339)';
  if (format === 'date') return 'date';
  const id = /^\^\(?([a-z|]{3,})\)?_\[0-9a-hjkmnp-tv-z\]\{26\}\$$/.exec(resolved.pattern ?? '')?.[1];
  if (id)
    return `ID, ${id
      .split('|')
      .map((prefix) => `\`${prefix}_…\``)
      .join(' or ')}`;
  const range =
    minimum !== undefined && maximum !== undefined && maximum < 2 ** 31 - 1 ? `, ${counted(minimum)} to ${counted(maximum)}` : '';
  return `${type ?? 'string, number or boolean'}${range}${resolved.default === undefined ? '' : `, ${resolved.default} by default`}`;
}

function inCode(values: readonly string[]): string {
  return values.map((each) => `\`${each}\``).join(', ');
}

/** Four digits may be a year. */
function counted(number: number): string {
  return number < 10_000 ? String(number) : number.toLocaleString('en');
}

function plural(type: string): string {
  if (type.startsWith('one of')) return type.replace('one of', 'any of');
  if (type.startsWith('ID')) return type.replace('ID', 'IDs');
  return /^(string|integer|object|number)$/.test(type) ? `${type}s` : type.replaceAll(/\b(order|vehicle)\b/g, '$1s');
}

function snapshotsIn(contract: Contract, schema: Referring<Schema>): string | null {
  const names = (contract.resolve(schema).oneOf ?? []).flatMap((each) => snapshots[contract.nameOf(each) ?? ''] ?? []);
  if (names.length === 0) return null;
  return `As returned by ${names.map((name) => `[${name}](/docs/reference/${name})`).join(' or ')}.`;
}

function wordsOf(...sentences: string[]): string {
  return sentences
    .map((each) => each.trim().replaceAll(/\s+/g, ' '))
    .filter(Boolean)
    .join(' ');
}
