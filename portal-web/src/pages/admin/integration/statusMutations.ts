import { graphql } from '../../../graphql/graphql.ts';

export const suspendIntegrationMutation = graphql(`
  mutation SuspendIntegration($input: AccessDecisionInput!) {
    suspendIntegration(input: $input) {
      id
      status
    }
  }
`);

export const reactivateIntegrationMutation = graphql(`
  mutation ReactivateIntegration($input: ReactivateIntegrationInput!) {
    reactivateIntegration(input: $input) {
      id
      status
    }
  }
`);

export const retireAnyIntegrationMutation = graphql(`
  mutation RetireAnyIntegration($input: RetireIntegrationInput!) {
    retireIntegration(input: $input) {
      id
      status
    }
  }
`);

export const openIntegrationGateMutation = graphql(`
  mutation OpenIntegrationGate($input: GateDecisionInput!) {
    openProductionGate(input: $input) {
      open
    }
  }
`);

export const closeIntegrationGateMutation = graphql(`
  mutation CloseIntegrationGate($input: GateDecisionInput!) {
    closeProductionGate(input: $input) {
      open
    }
  }
`);

export const setQuotaOverrideMutation = graphql(`
  mutation SetQuotaOverride($input: SetQuotaOverrideInput!) {
    setQuotaOverride(input: $input) {
      quota
      value
    }
  }
`);

export const withdrawQuotaOverrideMutation = graphql(`
  mutation WithdrawQuotaOverride($input: WithdrawQuotaOverrideInput!) {
    withdrawQuotaOverride(input: $input) {
      quota
      value
    }
  }
`);
