import { FieldResolver, Resolver, Root } from 'type-graphql';
import { failureCause, type FailureCause } from '../../domain/webhook/failureCause.ts';
import type { EndpointHealth } from '../../domain/webhook/endpoint/endpointHealth.ts';
import type { Attempt, LastAttempt } from '../../domain/webhook/history/attemptsOf.ts';
import type { FailureGroup } from '../../domain/webhook/history/failureGroups.ts';
import { FailureCauseType, WebhookAttemptType, WebhookFailureGroupType, WebhookLastAttemptType } from './deliveryTypes.ts';
import { ProbeResultType } from './trialTypes.ts';
import { EndpointHealthType } from './webhookEndpointTypes.ts';

@Resolver(() => WebhookFailureGroupType)
export class FailureGroupCauseResolver {
  @FieldResolver(() => FailureCauseType, { description: 'Why they failed, and the step that helps.' })
  cause(@Root() group: FailureGroup): FailureCause {
    return failureCause(group);
  }
}

@Resolver(() => WebhookAttemptType)
export class AttemptCauseResolver {
  @FieldResolver(() => FailureCauseType, { nullable: true, description: 'Why it failed; null if the receiver took the event.' })
  cause(@Root() attempt: Attempt): FailureCause | null {
    return causeOf(attempt);
  }
}

@Resolver(() => WebhookLastAttemptType)
export class LastAttemptFailureResolver {
  @FieldResolver(() => String, { nullable: true, description: 'Why it failed, as a sentence; null if the receiver took the event.' })
  failure(@Root() attempt: LastAttempt): string | null {
    return causeOf(attempt)?.what ?? null;
  }
}

@Resolver(() => EndpointHealthType)
export class EndpointFailureResolver {
  @FieldResolver(() => FailureCauseType, { nullable: true, description: 'Why the last attempt failed at something that has not arrived.' })
  lastFailure(@Root() { lastFailure }: EndpointHealth): FailureCause | null {
    return lastFailure && failureCause(lastFailure);
  }

  @FieldResolver(() => FailureCauseType, { nullable: true, description: 'Why the newest dead letter became one, where that is known.' })
  deadLetterCause(@Root() { deadLetter }: EndpointHealth): FailureCause | null {
    return deadLetter?.failure ? failureCause(deadLetter.failure) : null;
  }
}

@Resolver(() => ProbeResultType)
export class ProbeFailureResolver {
  @FieldResolver(() => String, { nullable: true, description: 'What kept it from answering, as a sentence.' })
  failure(@Root() { error }: ProbeResultType): string | null {
    return error === null ? null : failureCause({ status: null, error }).what;
  }
}

function causeOf(attempt: LastAttempt): FailureCause | null {
  const { status, error } = attempt;
  return error === null && status !== null && status >= 200 && status < 300 ? null : failureCause(attempt);
}
