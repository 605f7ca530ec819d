import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** One commercial agreement with its present state. */
export const agreementFragment = graphql(`
  fragment AgreementFacts on CommercialAgreement {
    id
    reference
    summary
    validFrom
    validUntil
    recordedAt
    state
    withdrawnAt
    withdrawalReason
  }
`);

/** What an owner has reported and what was agreed, as the owner and administrators read it. */
export const businessModelFragment = graphql(
  `
    fragment BusinessModelFacts on Integration {
      id
      businessModelReports {
        id
        description
        reportedAt
      }
      commercialAgreements {
        ...AgreementFacts
      }
    }
  `,
  [agreementFragment],
);

export const businessModelPart = graphql(
  `
    fragment BusinessModelPart on Query {
      integration(slug: $slug) {
        ...BusinessModelFacts
      }
    }
  `,
  [businessModelFragment],
);

export const businessModelQuery = graphql(
  `
    query BusinessModel($slug: String!) {
      ...BusinessModelPart
    }
  `,
  [businessModelPart],
);

export const reportBusinessModelChangeMutation = graphql(`
  mutation ReportBusinessModelChange($input: ReportBusinessModelChangeInput!) {
    reportBusinessModelChange(input: $input) {
      id
      description
      reportedAt
    }
  }
`);

export const recordCommercialAgreementMutation = graphql(`
  mutation RecordCommercialAgreement($input: RecordCommercialAgreementInput!) {
    recordCommercialAgreement(input: $input) {
      id
    }
  }
`);

export const withdrawCommercialAgreementMutation = graphql(`
  mutation WithdrawCommercialAgreement($input: WithdrawCommercialAgreementInput!) {
    withdrawCommercialAgreement(input: $input) {
      id
      state
    }
  }
`);

export type BusinessModel = ResultOf<typeof businessModelFragment>;
export type Agreement = BusinessModel['commercialAgreements'][number];
