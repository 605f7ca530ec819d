import { graphql, type ResultOf } from '../../../graphql/graphql.ts';

export const regenerateSandboxCorpusMutation = graphql(`
  mutation RegenerateSandboxCorpus($input: SandboxClientInput!) {
    regenerateSandboxCorpus(input: $input) {
      generation
      state
    }
  }
`);

export const generateSandboxLinkCodeMutation = graphql(`
  mutation GenerateSandboxLinkCode($input: GenerateSandboxLinkCodeInput!) {
    generateSandboxLinkCode(input: $input) {
      id
      code
      expiresAt
    }
  }
`);

export const advanceSandboxResourceMutation = graphql(`
  mutation AdvanceSandboxResource($input: AdvanceSandboxResourceInput!) {
    advanceSandboxResource(input: $input) {
      resourceId
      type
      connectionId
      from
      to
      revision
      shown
    }
  }
`);

export const addSandboxShippingEventMutation = graphql(`
  mutation AddSandboxShippingEvent($input: AddSandboxShippingEventInput!) {
    addSandboxShippingEvent(input: $input) {
      resourceId
      type
      connectionId
      from
      to
      revision
      shown
    }
  }
`);

export const revokeSandboxShareMutation = graphql(`
  mutation RevokeSandboxShare($input: RevokeSandboxShareInput!) {
    revokeSandboxShare(input: $input) {
      revocationId
      deletionDeadlineAt
    }
  }
`);

export const publishSandboxStatisticsMutation = graphql(`
  mutation PublishSandboxStatistics($input: SandboxClientInput!) {
    publishSandboxStatistics(input: $input) {
      generationId
      groupCount
      alteredCount
    }
  }
`);

export type GeneratedLinkCode = ResultOf<typeof generateSandboxLinkCodeMutation>['generateSandboxLinkCode'];
export type PublishedStatistics = ResultOf<typeof publishSandboxStatisticsMutation>['publishSandboxStatistics'];
