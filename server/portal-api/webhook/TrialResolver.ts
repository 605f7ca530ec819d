import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { WebhookEndpoint } from '../../domain/webhook/endpoint/WebhookEndpoint.ts';
import type { Delivery } from '../../domain/webhook/history/deliveries.ts';
import { checkReceiver } from '../../domain/webhook/receiver-check/checkReceiver.ts';
import type { ReceiverCheck } from '../../domain/webhook/receiver-check/receiverChecks.ts';
import { sendTestEvent } from '../../domain/webhook/trial/sendTestEvent.ts';
import { requestSignedSample, signedSample, type SignedSample } from '../../domain/webhook/trial/signedSample.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { WebhookDeliveryType } from './deliveryTypes.ts';
import { CheckReceiverInput, ReceiverCheckType, RequestSignedSampleInput, SendTestEventInput, SignedSampleType } from './trialTypes.ts';
import { WebhookEndpointType } from './webhookEndpointTypes.ts';

@Resolver(() => WebhookEndpointType)
export class TrialResolver {
  @Mutation(() => WebhookDeliveryType, {
    description: 'Delivers an event about something in the test data to an active sandbox endpoint. Only the portal marks it as a test.',
  })
  sendTestEvent(@Arg('input', () => SendTestEventInput) input: SendTestEventInput, @Ctx() context: PortalContext): Promise<Delivery> {
    return sendTestEvent(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => SignedSampleType, { description: 'Asks a worker to sign a delivery for a receiver on the reader’s own machine.' })
  requestSignedSample(
    @Arg('input', () => RequestSignedSampleInput) input: RequestSignedSampleInput,
    @Ctx() context: PortalContext,
  ): Promise<SignedSample> {
    return requestSignedSample(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Query(() => SignedSampleType, { description: 'One of the viewer’s own samples.' })
  signedSample(@Arg('id', () => ID) id: string, @Ctx() context: PortalContext): Promise<SignedSample> {
    return signedSample(context.em, actorOf(context).operatorId, id);
  }

  @Mutation(() => ReceiverCheckType, {
    description:
      'Has a worker send good and bad probes to an active sandbox endpoint, to find out whether its receiver follows the specification.',
  })
  checkReceiver(
    @Arg('input', () => CheckReceiverInput) { endpointId }: CheckReceiverInput,
    @Ctx() context: PortalContext,
  ): Promise<ReceiverCheck> {
    return checkReceiver(context.em, { actor: actorOf(context), endpointId, now: context.clock.now() });
  }

  @FieldResolver(() => ReceiverCheckType, { nullable: true })
  receiverCheck(@Root() { number }: WebhookEndpoint, @Ctx() { loaders, clock }: PortalContext): Promise<ReceiverCheck | null> {
    return loaders.receiverCheck.load({ endpointNumber: number, now: clock.now() });
  }
}
