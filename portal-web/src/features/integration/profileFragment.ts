import { graphql } from '../../graphql/graphql.ts';

/** Every field of a profile version, as the owner, reviewers and administrators read it. */
export const profileFragment = graphql(`
  fragment ProfileFacts on ProfileVersion {
    version
    publicName
    publicDescription
    purpose
    legalOperatorName
    country
    supportEmail
    websiteUrl
    privacyPolicyUrl
    termsOfServiceUrl
    orderLinkingUrl
    donationUrl
    requestedScopes
    scopeWarnings
    pollingCadenceMinutes
    webhookModel
    logo {
      id
      url256
      url512
    }
  }
`);
