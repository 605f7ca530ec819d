import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const sendTestEventMutation = graphql(`
  mutation SendTestEvent($input: SendTestEventInput!) {
    sendTestEvent(input: $input) {
      id
    }
  }
`);

export const requestSignedSampleMutation = graphql(`
  mutation RequestSignedSample($input: RequestSignedSampleInput!) {
    requestSignedSample(input: $input) {
      id
    }
  }
`);

export const signedSampleQuery = graphql(`
  query SignedSample($id: ID!) {
    signedSample(id: $id) {
      id
      command
    }
  }
`);

export const checkReceiverMutation = graphql(`
  mutation CheckReceiver($input: CheckReceiverInput!) {
    checkReceiver(input: $input) {
      id
    }
  }
`);

const receiverCheckFragment = graphql(`
  fragment ReceiverCheckFacts on ReceiverCheck {
    id
    state
    failure
    requestedAt
    finishedAt
    probedAt
    passed
    probes {
      kind
      title
      expectation
      status
      failure
      tookMs
      verdict
      mend
    }
  }
`);

export const reviewedEndpointFragment = graphql(
  `
    fragment ReviewedEndpointFacts on ReviewedWebhookEndpoint {
      environment
      status
      payloadMode
      eventTypes
      provenAt
      health {
        lastSuccessAt
        failingSince
        waiting
        held
        dead
      }
      receiverCheck {
        ...ReceiverCheckFacts
      }
    }
  `,
  [receiverCheckFragment],
);

export const receiverCheckPart = graphql(
  `
    fragment ReceiverCheckPart on Query {
      webhookEndpoint(id: $endpointId) {
        id
        receiverCheck {
          ...ReceiverCheckFacts
        }
      }
    }
  `,
  [receiverCheckFragment],
);

export const receiverCheckQuery = graphql(
  `
    query ReceiverCheck($endpointId: ID!) {
      ...ReceiverCheckPart
    }
  `,
  [receiverCheckPart],
);

export type ReceiverCheck = ResultOf<typeof receiverCheckFragment>;
export type Probe = ReceiverCheck['probes'][number];
