import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import type { Actor } from '../shared/actor.ts';
import { refuseInvalid, type FieldError } from '../shared/DomainError.ts';
import { environments, type Environment } from '../shared/environment.ts';
import { newId } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { flawOf, isBlank } from '../shared/text/writtenText.ts';
import { allServicePermissions, isServicePermission } from './servicePermissions.ts';
import { newTokenText, ServiceToken, tokenHash } from './ServiceToken.ts';

const day = 24 * 60 * 60 * 1000;
const longestLifetimeDays = limits.serviceTokenLifetime / day;

type ServiceTokenInput = {
  readonly name: string;
  readonly environment: string;
  readonly permissions: readonly string[];
  /** Days until the token ends. If absent, the longest lifetime. */
  readonly expiresInDays?: number | null | undefined;
};

/**
 * Creates a service token (docs/specification.md, “Service tokens”). `token` is its text, which can never be shown again because only its
 * hash is stored. Errors: invalid_request by field.
 */
export function createServiceToken(
  em: EntityManager,
  { actor, input, now }: { actor: Actor; input: ServiceTokenInput; now: Date },
): Promise<{ serviceToken: ServiceToken; token: string }> {
  refuseInvalid(inputErrors(input));
  const lifetime = (input.expiresInDays ?? longestLifetimeDays) * day;
  return em.transactional(async (tx) => {
    const token = newTokenText();
    const serviceToken = tx.create(ServiceToken, {
      id: newId('svt'),
      name: input.name.trim(),
      environment: input.environment as Environment,
      tokenHash: tokenHash(token) as Buffer,
      permissions: allServicePermissions.filter((permission) => input.permissions.includes(permission)),
      createdAt: now,
      createdBy: actor.type === 'operator' ? actor.operatorId : null,
      expiresAt: new Date(now.getTime() + lifetime),
      lastUsedAt: null,
      revokedAt: null,
    });
    tx.persist(serviceToken);
    await tx.flush();
    await record(tx, actor, now, {
      action: 'service_token.created',
      subject: { type: 'service_token', id: serviceToken.id },
      details: {
        environment: serviceToken.environment,
        permissions: serviceToken.permissions.join(','),
        expiresAt: serviceToken.expiresAt.toISOString(),
      },
    });
    return { serviceToken, token };
  });
}

function inputErrors({ name, environment, permissions, expiresInDays }: ServiceTokenInput): FieldError[] {
  const errors: FieldError[] = [];
  if (isBlank(name) || [...name.trim()].length > 100 || flawOf(name.trim(), { lines: false }) !== null) {
    errors.push({ path: 'input.name', message: 'A name must have 1 to 100 characters that can be read, and no control characters.' });
  }
  if (!environments.some((known) => known === environment)) {
    errors.push({ path: 'input.environment', message: `A token must belong to one environment: ${environments.join(' or ')}.` });
  }
  if (permissions.length === 0) {
    errors.push({ path: 'input.permissions', message: `Choose at least one permission: ${allServicePermissions.join(', ')}.` });
  }
  permissions.forEach((permission, index) => {
    if (isServicePermission(permission)) return;
    errors.push({ path: `input.permissions[${index}]`, message: `The permissions are: ${allServicePermissions.join(', ')}.` });
  });
  const days = expiresInDays ?? longestLifetimeDays;
  if (!Number.isInteger(days) || days < 1 || days > longestLifetimeDays) {
    errors.push({ path: 'input.expiresInDays', message: `A token must expire after 1 to ${longestLifetimeDays} whole days.` });
  }
  return errors;
}
