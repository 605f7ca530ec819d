import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import { auditTrail } from '../../domain/audit/auditTrail.ts';
import { auditExport } from '../../domain/audit/exportAuditTrail.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { AuditEntryConnectionType, AuditExportType, AuditFilterInput } from './auditTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';

@Resolver()
export class AuditResolver {
  @Query(() => AuditExportType, {
    description:
      'For administrators: what `/exports/audit-trail.csv` and `.ndjson` would contain with this filter, at most 100,000 entries.',
  })
  auditExport(
    @Arg('filter', () => AuditFilterInput, { nullable: true }) filter: AuditFilterInput | null | undefined,
    @Ctx() { em }: PortalContext,
  ): Promise<AuditExportType> {
    return auditExport(em, filter ?? {});
  }

  @Query(() => AuditEntryConnectionType, {
    description: 'The audit trail, newest first: what belongs to the viewer’s account; for administrators all of it, unless `own` is true.',
  })
  async auditTrail(
    @Arg('own', () => Boolean, { defaultValue: false }) own: boolean,
    @Arg('filter', () => AuditFilterInput, { nullable: true }) filter: AuditFilterInput | null | undefined,
    @First(50) first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<AuditEntryConnectionType> {
    const asked = { actor: actorOf(context), own, filter: filter ?? {}, first, after };
    return context.readBehind((em) => auditTrail(em, asked));
  }
}
