import type { VariablesOf } from '../../graphql/graphql.ts';
import type { createIntegrationMutation } from './mutations.ts';
import type { DraftValues } from './draft.ts';

type Input = VariablesOf<typeof createIntegrationMutation>['input'];

type Texts = { readonly [Field in keyof DraftValues as DraftValues[Field] extends string ? Field : never]: DraftValues[Field] };
type Optional = { [Field in keyof DraftValues & keyof Input]: null extends Input[Field] ? Field : never }[keyof DraftValues & keyof Input];

type Sent = Omit<Texts, Optional> & Pick<Input, Optional>;

/** What may be left empty: it is sent as null, which clears what was there. */
const optional: Readonly<Record<Optional, true>> = { donationUrl: true };

/** The input that is sent for a complete draft. */
export function toInput(values: DraftValues, termsVersion: number): Input {
  const { nonCommercial, attribution, requestedScopes, pollingCadenceMinutes, ...texts } = values;
  return {
    ...trimmed(texts),
    requestedScopes,
    pollingCadenceMinutes: Number(pollingCadenceMinutes),
    termsVersion,
    attributionRulesAccepted: attribution,
    nonCommercialUseAccepted: nonCommercial,
  };
}

/** Every text without space around it. One that is optional and empty is null. */
function trimmed(texts: Texts): Sent {
  const entries = Object.entries(texts).map(([field, text]) => [field, text.trim() || (field in optional ? null : '')]);
  return Object.fromEntries(entries) as Sent;
}
