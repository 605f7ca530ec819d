import type { EntityManager } from '@mikro-orm/postgresql';
import type { Role } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { hasIdForm } from '../shared/ids.ts';
import { sql } from '../shared/sql.ts';
import { renditionSizes, type RenditionSize } from './image/formats.ts';

/** Who is asking, if they are signed in. */
type Viewer = { readonly operatorId: string; readonly roles: readonly Role[] };

/**
 * The rendition, and whether the approved profile names the logo, by primary keys and index profile_version_logo. A later minor revision
 * keeps it, because the logo does not change after approval.
 */
const logoSql = (size: RenditionSize) => `
select l.rendition_${size} as png, i.operator_id as "operatorId",
       exists (select 1 from profile_version p where p.logo_id = l.id and p.integration_id = i.id and p.version = i.reviewed_profile_version) as reviewed
  from logo l join integration i on i.id = l.integration_id where l.id = $1`;

/**
 * One rendition. A reviewed logo is public; until then, only its owner, reviewers and administrators see it, so that no one can show the
 * world, under the service's name, an image that no reviewer has looked at. For everyone else it does not exist. Errors: not_found.
 */
export async function logoRendition(
  em: EntityManager,
  { id, size, viewer }: { id: string; size: string; viewer: () => Promise<Viewer | null> },
): Promise<{ png: Buffer; reviewed: boolean }> {
  const known = renditionSizes.find((each) => String(each) === size);
  const [row] =
    known && hasIdForm('lgo', id) ? await sql<{ png: Buffer; operatorId: string; reviewed: boolean }>(em, logoSql(known), [id]) : [];
  if (row && (row.reviewed || maySee(await viewer(), row.operatorId))) return { png: row.png, reviewed: row.reviewed };
  throw new DomainError('not_found', { detail: 'There is no such logo.' });
}

function maySee(viewer: Viewer | null, operatorId: string): boolean {
  return (
    viewer !== null && (viewer.operatorId === operatorId || viewer.roles.some((role) => role === 'reviewer' || role === 'administrator'))
  );
}
