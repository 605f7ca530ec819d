import { Readable } from 'node:stream';
import Router from '@koa/router';
import { takeAttempt } from '../../domain/account/attempts.ts';
import { refuseUnlessPermitted } from '../../domain/access/permissions.ts';
import { auditFormats, exportAuditTrail, type AuditFormat } from '../../domain/audit/exportAuditTrail.ts';
import { auditWays } from '../../domain/audit/auditSql.ts';
import type { AuditFilter } from '../../domain/audit/auditTrail.ts';
import { DomainError, refuseInvalid } from '../../domain/shared/DomainError.ts';
import type { PortalDependencies } from '../portalDependencies.ts';
import type { PortalState } from '../requestContext.ts';
import type { Sessions } from '../sessions/sessions.ts';

const types: Record<AuditFormat, string> = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' };

/** `/exports/audit-trail.csv` and `.ndjson`: streams what the query's filter finds, for administrators. */
export function auditExport({ orm, clock }: PortalDependencies, sessions: Sessions): Router<PortalState> {
  const router = new Router<PortalState>();
  router.get('/exports/audit-trail.:format', async (ctx) => {
    const session = await sessions.authenticate(ctx);
    // The export contains every address that anybody ever acted from. It therefore requires what GraphQL requires for them, including a
    // fresh confirmation.
    const now = clock.now();
    refuseUnlessPermitted('auditExport', { session, serviceToken: ctx.state.serviceToken ?? null }, now);
    if (!session?.operatorId) throw new DomainError('unauthenticated');
    const format = auditFormats.find((known) => known === ctx.params['format']);
    if (!format) throw new DomainError('not_found', { detail: 'An export is audit-trail.csv or audit-trail.ndjson.' });
    const { ip, requestId } = ctx.state.visitor;
    const em = orm.em.fork();
    await takeAttempt(em, { kind: 'audit_export_operator', source: session.operatorId }, now);
    const actor = { type: 'operator', operatorId: session.operatorId, roles: session.roles, ip, requestId } as const;
    const pieces = await exportAuditTrail(em, { actor, filter: filterOf(ctx.URL.searchParams), format, now });
    ctx.set('Cache-Control', 'no-store');
    ctx.attachment(`audit-trail-${now.toISOString().slice(0, 10)}.${format}`);
    ctx.type = types[format];
    ctx.body = Readable.from(pieces);
  });
  return router;
}

const parameters: readonly string[] = [...auditWays, 'action', 'from', 'to'];

function filterOf(query: URLSearchParams): AuditFilter {
  // A mistyped filter would export everything. What was typed is not repeated, because it may not be a name at all.
  if ([...query.keys()].some((name) => !parameters.includes(name)))
    refuseInvalid([{ path: 'query', message: `The parameters of an export are ${parameters.join(', ')}.` }]);
  const empty = [...query].filter(([, value]) => value === '').map(([name]) => name);
  refuseInvalid(empty.map((name) => ({ path: name, message: 'Give this parameter a value, or leave it out.' })));
  const [from, to] = (['from', 'to'] as const).map((name) => instantOf(query, name));
  // Nothing that somebody searched for may be in the query: an address would end up in the browser’s history.
  const named = auditWays.map((way) => [way, query.getAll(way)]);
  return { ...Object.fromEntries(named), action: query.get('action'), from: from ?? null, to: to ?? null };
}

function instantOf(query: URLSearchParams, name: string): Date | null {
  const text = query.get(name);
  if (!text) return null;
  const instant = new Date(text);
  // A year with a sign and six digits is also a valid time, but PostgreSQL cannot hold it.
  if (!/^\d{4}-/.test(text) || Number.isNaN(instant.getTime()))
    refuseInvalid([{ path: name, message: 'Enter a time such as 2026-11-21T10:00:00Z.' }]);
  return instant;
}
