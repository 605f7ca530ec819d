import { z } from 'zod';
import { DomainError, type FieldError, refuseInvalid } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import { nameable } from '../shared/nameable.ts';
import { catalogueTexts, valuesOf } from './catalogueTexts.ts';
import { allowlist, type ResourceData, type ResourceType, type Section } from './allowlist.ts';
import { spellVin } from './vin.ts';

/**
 * What is stored of a resource and may be sent: the JSON object text of each section, with `shipping` null if there is none. Equal data
 * gives equal text. When it is read, the fields of the share (`id`, `revision`, `updated_at`, …) are put in front of `core`.
 */
export type Projection = { readonly core: string; readonly shipping: string | null };

const fieldNames = { order: namesOf(allowlist.order), vehicle: namesOf(allowlist.vehicle) };
const schemas = { order: schemaOf(allowlist.order), vehicle: schemaOf(allowlist.vehicle) };

/**
 * The only way in: writes a resource as the allowlist permits (docs/specification.md, “Data boundary”). Throws `invalid_request` that
 * names, by paths such as `shipping.events[0].gps`, each field that is not in the allowlist, at any depth, and each field with a value that
 * it may not have, or if both sections together exceed 16,000 bytes. Values are never repeated.
 */
export function project<Type extends ResourceType>(type: Type, data: ResourceData[Type]): Projection {
  const parsed = schemas[type].safeParse(data);
  if (!parsed.success) {
    const fields = parsed.error.issues.slice(0, limits.listedErrors).flatMap(fieldErrors);
    throw new DomainError('invalid_request', {
      fields,
      detail: fields.map(({ path, message }) => `${path || 'data'}: ${message}.`).join(' '),
    });
  }
  refuseSpeltVin(parsed.data);
  const projection = { core: JSON.stringify(section(type, 'core', parsed.data) ?? {}), shipping: shippingText(type, parsed.data) };
  const bytes = Buffer.byteLength(projection.core) + Buffer.byteLength(projection.shipping ?? '');
  refuseInvalid(
    bytes <= limits.snapshotBytes
      ? []
      : [{ path: '', message: `A snapshot has at most ${limits.snapshotBytes} bytes; this one has ${bytes}.` }],
  );
  return projection;
}

/** Neighbouring fields and option codes are looked at together, because each may be harmless by itself. */
function refuseSpeltVin(data: Readonly<Record<string, unknown>>): void {
  if (!spellVin(catalogueTexts(data))) return;
  const path = spellVin(valuesOf(data, 'option_codes')) ? 'option_codes' : '';
  const what = path === '' ? 'neighbouring fields' : 'option_codes:';
  throw new DomainError('invalid_request', {
    fields: [{ path, message: 'must not spell a vehicle identification number' }],
    detail: `${what} must not spell a vehicle identification number.`,
  });
}

function shippingText(type: ResourceType, data: Readonly<Record<string, unknown>>): string | null {
  const shipping = section(type, 'shipping', data)?.['shipping'];
  return shipping === undefined ? null : JSON.stringify(shipping);
}

/** The fields of one section in the order of the allowlist, without empty ones. Undefined if none is left. */
function section(type: ResourceType, wanted: Section, data: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  return keepFull(fieldNames[type][wanted], data);
}

function namesOf(fields: Readonly<Record<string, { readonly section: Section }>>): Readonly<Record<Section, readonly string[]>> {
  const of = (wanted: Section) => Object.keys(fields).filter((name) => fields[name]?.section === wanted);
  return { core: of('core'), shipping: of('shipping') };
}

/** Leaves out what says nothing (null, `{}`, `[]`), so that each state has one text and its changes are exact. */
function withoutEmpty(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  return typeof value === 'object' ? keepFull(Object.keys(value), value as Readonly<Record<string, unknown>>) : value;
}

function keepFull(names: readonly string[], data: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  let kept: Record<string, unknown> | undefined;
  for (const name of names) {
    const rest = withoutEmpty(data[name]);
    if (rest !== undefined) (kept ??= {})[name] = rest;
  }
  return kept;
}

function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const forbidden = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, limits.listedErrors).map(nameable) : null;
  const paths = forbidden ? forbidden.map((name) => [...issue.path, name]) : [issue.path];
  const message = forbidden ? 'is not an accepted field' : issue.message;
  return paths.map((path) => ({ path: pathText(path), message }));
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}

/** Zod builds a new object from the shape's keys, in the shape's order. Unknown keys are refused, and would not be copied. */
function schemaOf(fields: Readonly<Record<string, { readonly schema: z.ZodType }>>): z.ZodType<Record<string, unknown>> {
  return z.strictObject(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema])));
}
