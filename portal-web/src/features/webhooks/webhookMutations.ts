import { graphql } from '../../graphql/graphql.ts';

export const registerWebhookEndpointMutation = graphql(`
  mutation RegisterWebhookEndpoint($input: RegisterWebhookEndpointInput!) {
    registerWebhookEndpoint(input: $input) {
      id
    }
  }
`);

export const verifyWebhookEndpointMutation = graphql(`
  mutation VerifyWebhookEndpoint($input: VerifyWebhookEndpointInput!) {
    verifyWebhookEndpoint(input: $input) {
      id
    }
  }
`);

export const reviseWebhookEndpointMutation = graphql(`
  mutation ReviseWebhookEndpoint($input: ReviseWebhookEndpointInput!) {
    reviseWebhookEndpoint(input: $input) {
      id
      status
    }
  }
`);

export const pauseWebhookEndpointMutation = graphql(`
  mutation PauseWebhookEndpoint($input: PauseWebhookEndpointInput!) {
    pauseWebhookEndpoint(input: $input) {
      id
    }
  }
`);

export const resumeWebhookEndpointMutation = graphql(`
  mutation ResumeWebhookEndpoint($input: ResumeWebhookEndpointInput!) {
    resumeWebhookEndpoint(input: $input) {
      id
    }
  }
`);

export const removeWebhookEndpointMutation = graphql(`
  mutation RemoveWebhookEndpoint($input: RemoveWebhookEndpointInput!) {
    removeWebhookEndpoint(input: $input) {
      id
    }
  }
`);
