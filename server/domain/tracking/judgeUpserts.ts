import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { DomainError, type FieldError, refuseInvalid } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import type { ResourceData, ResourceType } from './allowlist.ts';
import { type Catalogue, outsideCatalogue } from './catalogueTexts.ts';
import { project, type Projection } from './project.ts';
import { isSourceReference } from './sourceReference.ts';

/** An order or stock vehicle in the form in which the order-tracking service supplies it. Times as text are RFC 3339. */
export type UpsertInput = {
  readonly type: ResourceType;
  /** The order-tracking service's own key. */
  readonly key: string;
  /** 0 to 2^63 − 1 in decimal digits. An upsert that is not newer than what is stored is ignored. */
  readonly version: string;
  /** Whose order it is. A stock vehicle has no user. */
  readonly user?: string | null | undefined;
  /** Since when this is the state. If absent, since now. */
  readonly occurredAt?: Date | string | null | undefined;
  readonly historyComplete: boolean;
  /** Fields of the allowlist, and no others. */
  readonly data: unknown;
};

/** An upsert that complies with all rules, reduced to what is stored. */
export type JudgedUpsert = {
  readonly type: ResourceType;
  readonly key: string;
  readonly version: bigint;
  readonly user: string | null;
  readonly occurredAt: Date;
  readonly historyComplete: boolean;
  readonly projection: Projection;
};

const highestVersion = 2n ** 63n - 1n;
const minute = 60_000;
const rfc3339 = z.iso.datetime({ offset: true });

/**
 * Judges a whole batch before anything is read or written. Throws `invalid_request` with at most 100 broken rules by their paths, such as
 * `resources[3].data.shipping.events[0].gps`. No message repeats a value.
 */
export async function judgeUpserts(resources: readonly UpsertInput[], catalogue: Catalogue, now: Date): Promise<JudgedUpsert[]> {
  refuseInvalid(batchErrors(resources.length));
  const errors: FieldError[] = [];
  const judged: JudgedUpsert[] = [];
  const seen = new Set<string>();
  for (const [index, resource] of resources.entries()) {
    // A whole batch takes long enough to delay other requests.
    if (index % limits.resourcesPerTurn === 0) await setImmediate();
    const path = `resources[${index}]`;
    const found = memberErrors(resource, now);
    const name = `${resource.type} ${resource.key}`;
    if (seen.has(name)) found.push({ path: 'key', message: 'This resource is already in the batch.' });
    seen.add(name);
    const projection = projectionOrErrors(resource, catalogue, found);
    errors.push(...found.map(({ path: inner, message }) => ({ path: `${path}.${inner}`, message: `${path}.${inner}: ${message}` })));
    if (errors.length >= limits.listedErrors) break;
    if (found.length === 0 && projection) judged.push(judgedUpsert(resource, projection, now));
  }
  refuseInvalid(errors.slice(0, limits.listedErrors));
  return judged;
}

function batchErrors(count: number): FieldError[] {
  if (count >= 1 && count <= limits.upsertBatch) return [];
  return [{ path: 'resources', message: `A batch must have 1 to ${limits.upsertBatch} resources; this one has ${count}.` }];
}

function memberErrors({ type, key, version, user, occurredAt }: UpsertInput, now: Date): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (path: string, message: string): unknown => errors.push({ path, message });
  if (!isSourceReference(key)) refuse('key', 'A key must have 1 to 200 visible characters.');
  if (!/^\d{1,19}$/.test(version) || BigInt(version) > highestVersion)
    refuse('version', `A version must be a number from 0 to ${highestVersion}.`);
  if (type === 'vehicle' && typeof user === 'string') refuse('user', 'A stock vehicle must not have a user.');
  if (type === 'order' && !isSourceReference(user ?? '')) refuse('user', 'An order must have a user: 1 to 200 visible characters.');
  const at = instantOf(occurredAt, now);
  if (!at) refuse('occurredAt', 'It must be an RFC 3339 time.');
  else if (at.getTime() > now.getTime() + minute) refuse('occurredAt', 'It must not lie in the future.');
  return errors;
}

/** The time in whole milliseconds, or null if the text is not a time. */
function instantOf(time: Date | string | null | undefined, now: Date): Date | null {
  if (time === null || time === undefined) return now;
  if (typeof time === 'string' && !rfc3339.safeParse(time).success) return null;
  const instant = new Date(time);
  return Number.isNaN(instant.getTime()) || instant.getUTCFullYear() < 2000 ? null : instant;
}

/** Adds to `errors` whatever in the data the allowlist does not permit, or the catalogue does not know. */
function projectionOrErrors({ type, data }: UpsertInput, catalogue: Catalogue, errors: FieldError[]): Projection | null {
  try {
    const projection = project(type, data as ResourceData[typeof type]);
    const unknown = outsideCatalogue(data as Readonly<Record<string, unknown>>, catalogue);
    errors.push(...unknown.map((path) => ({ path: `data.${path}`, message: 'is not in this installation’s catalogue' })));
    return projection;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    errors.push(...error.fields.map(({ path, message }) => ({ path: path ? `data.${path}` : 'data', message })));
    return null;
  }
}

function judgedUpsert(
  { type, key, version, user, occurredAt, historyComplete }: UpsertInput,
  projection: Projection,
  now: Date,
): JudgedUpsert {
  const instant = instantOf(occurredAt, now) ?? now;
  return { type, key, version: BigInt(version), user: user ?? null, occurredAt: instant, historyComplete, projection };
}
