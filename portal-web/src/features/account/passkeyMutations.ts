import { graphql } from '../../graphql/graphql.ts';

export const beginPasskeyAdditionMutation = graphql(`
  mutation BeginPasskeyAddition {
    beginPasskeyAddition
  }
`);

export const finishPasskeyAdditionMutation = graphql(`
  mutation FinishPasskeyAddition($input: FinishPasskeyAdditionInput!) {
    finishPasskeyAddition(input: $input) {
      id
      name
    }
  }
`);

export const renamePasskeyMutation = graphql(`
  mutation RenamePasskey($input: RenamePasskeyInput!) {
    renamePasskey(input: $input) {
      id
      name
    }
  }
`);

export const removePasskeyMutation = graphql(`
  mutation RemovePasskey($input: RemovePasskeyInput!) {
    removePasskey(input: $input) {
      id
    }
  }
`);
