import type { EntityManager } from '@mikro-orm/postgresql';
import type { Integration } from '../../integration/Integration.ts';
import { integrationTransitions } from '../../integration/integrationStatus.ts';
import { acceptedTermsVersion, currentTerms } from '../../integration/terms/acceptTerms.ts';
import { sql } from '../../shared/sql.ts';

export const obstacleKinds = ['status', 'terms', 'logo'] as const;
type Obstacle = { readonly kind: (typeof obstacleKinds)[number]; readonly words: string };

/** What has to be done before this integration can be submitted, besides the form. Empty if nothing has. */
export async function submissionObstacles(em: EntityManager, integration: Integration): Promise<Obstacle[]> {
  const { id, operatorId, profileVersion, status } = integration;
  const terms = await currentTerms(em);
  const accepted = await acceptedTermsVersion(em, operatorId);
  const [logo] = await sql(em, 'select 1 from profile_version where integration_id = $1 and version = $2 and logo_id is not null', [
    id,
    profileVersion,
  ]);
  const from: readonly string[] = integrationTransitions.submitForReview.from;
  return [
    ...(from.includes(status)
      ? []
      : [
          { kind: 'status' as const, words: `You can submit an integration only while it is ${from.join(' or ')}; this one is ${status}.` },
        ]),
    ...(accepted === terms.version
      ? []
      : [{ kind: 'terms' as const, words: `Accept version ${terms.version} of the Integration Terms first.` }]),
    ...(logo ? [] : [{ kind: 'logo' as const, words: 'Upload a logo on the profile page first.' }]),
  ];
}
