import { FieldResolver, Resolver, Root } from 'type-graphql';
import { failureCause, type FailureCause } from '../../domain/webhook/failureCause.ts';
import type { Attempt } from '../../domain/webhook/history/attemptsOf.ts';
import type { FailureGroup } from '../../domain/webhook/history/failureGroups.ts';
import { FailureCauseType, WebhookAttemptType, WebhookFailureGroupType } from './deliveryTypes.ts';
import { ProbeResultType } from './trialTypes.ts';

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
    const { status, error } = attempt;
    return error === null && status !== null && status >= 200 && status < 300 ? null : failureCause(attempt);
  }
}

@Resolver(() => ProbeResultType)
export class ProbeFailureResolver {
  @FieldResolver(() => String, { nullable: true, description: 'What kept it from answering, as a sentence.' })
  failure(@Root() { error }: ProbeResultType): string | null {
    return error === null ? null : failureCause({ status: null, error }).what;
  }
}
