import { paths } from '../../../paths.ts';

/** The entries of the audit trail about an integration. */
export function auditPathOf(integrationId: string): string {
  return `${paths.adminAudit}?way=integration&search=${integrationId}`;
}
