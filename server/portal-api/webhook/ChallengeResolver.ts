import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { failureWordsOf, stepWords } from '../../domain/webhook/challenge/challengeWords.ts';
import { shownChallenge } from '../../domain/webhook/challenge/latestChallenge.ts';
import { verifyWebhookEndpoint } from '../../domain/webhook/challenge/verifyWebhookEndpoint.ts';
import type { WebhookEndpoint } from '../../domain/webhook/endpoint/WebhookEndpoint.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { ChallengeType, VerifyWebhookEndpointInput } from './challengeTypes.ts';
import { isViewersOwn } from './viewersEndpoint.ts';
import { WebhookEndpointType } from './webhookEndpointTypes.ts';

@Resolver(() => WebhookEndpointType)
export class ChallengeResolver {
  @FieldResolver(() => ChallengeType, {
    nullable: true,
    description:
      'Null if the present URL was never verified, or only before it was changed and changed back, and for anybody but the owner.',
  })
  async challenge(@Root() endpoint: WebhookEndpoint, @Ctx() context: PortalContext): Promise<ChallengeType | null> {
    if (context.viewed || !(await isViewersOwn(endpoint, context))) return null;
    const { number, url } = endpoint;
    const { loaders, clock } = context;
    const found = await loaders.challenge.load({ number, url });
    const shown = found && shownChallenge(found, endpoint, clock.now());
    if (!shown) return null;
    const { failure, steps, ...challenge } = shown;
    return {
      ...challenge,
      failure: failure && failureWordsOf(failure, steps),
      steps: steps.map((step) => ({ ...step, at: new Date(step.at), detail: stepWords(step) })),
    };
  }

  @Mutation(() => WebhookEndpointType, {
    description:
      'Needs a fresh passkey confirmation. A worker asks the endpoint’s server to answer with a random string; its steps appear in `challenge`. At most 10 times an hour for an endpoint and 30 for an operator.',
  })
  verifyWebhookEndpoint(
    @Arg('input', () => VerifyWebhookEndpointInput) { endpointId }: VerifyWebhookEndpointInput,
    @Ctx() context: PortalContext,
  ): Promise<WebhookEndpoint> {
    return verifyWebhookEndpoint(context.em, { actor: actorOf(context), endpointId, now: context.clock.now() });
  }
}
