import type { EntityManager } from '@mikro-orm/postgresql';
import type { Integration } from '../../integration/Integration.ts';
import { integrationTransitions } from '../../integration/integrationStatus.ts';
import { impossibleWords } from '../../shared/stateMachine.ts';
import { blocking } from '../check/submissionChecks.ts';
import { submissionChecksOf } from '../check/submissionChecksOf.ts';

export const obstacleKinds = ['status', 'terms', 'logo', 'pages'] as const;
type Obstacle = { readonly kind: (typeof obstacleKinds)[number]; readonly words: string };

type Circumstances = {
  /** The review address of the form; what was found at another one is no obstacle. */
  readonly reviewUrl: string | null;
  readonly now: Date;
};

/** What has to be done before this integration can be submitted, besides the form. Empty if nothing has. */
export async function submissionObstacles(
  em: EntityManager,
  { id, profileVersion, status }: Integration,
  { reviewUrl, now }: Circumstances,
): Promise<Obstacle[]> {
  const from: readonly string[] = integrationTransitions.submitForReview.from;
  const [checks = []] = await submissionChecksOf(em, [{ integrationId: id, version: profileVersion, reviewUrl }], now);
  return [
    ...(from.includes(status) ? [] : [{ kind: 'status' as const, words: impossibleWords(from, status) }]),
    ...blocking(checks).map(({ check, title, found }) => {
      if (check === 'terms' || check === 'logo') return { kind: check, words: found };
      return { kind: 'pages' as const, words: `The check “${title}” has failed: ${found}` };
    }),
  ];
}
