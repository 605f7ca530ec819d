import type { Outcome } from './HttpConnections.ts';

/** The tooling's document for supplying orders. */
export const upsertText = 'mutation ($input: UpsertTrackedResourcesInput!) { upsertTrackedResources(input: $input) { created } }';
export const linkCodeText = 'mutation ($input: CreateLinkCodeInput!) { createLinkCode(input: $input) { id code } }';
export const revokeText = 'mutation ($input: RevokeShareInput!) { revokeShare(input: $input) { revocationId } }';

/** An order of a user, as the tooling supplies it. The option code is what it is found by in the database. */
export function orderOf(key: string, user: number, optionCode: string): object {
  const data = { status: 'placed', model: 'Kestrel', market: 'DE', option_codes: [optionCode], ordered_on: '2026-05-01' };
  return { type: 'order', key, user: `user-${user}`, version: '1', historyComplete: true, data };
}

/** An option code for each number. What is made of digits alone is not accepted, because it could be an order number. */
export function optionCodeOf(number: number): string {
  return `D${[...String(number)].map((digit) => 'ABCDEFGHIJ'[Number(digit)]).join('')}`;
}

/** The fields of what an operation of GraphQL returned, or undefined if it was refused. */
export function dataOf(outcome: Outcome, operation: string): Readonly<Record<string, string>> | undefined {
  if (outcome.status !== 200) return undefined;
  const { data, errors } = (outcome.body ?? {}) as { data?: Record<string, Record<string, string>>; errors?: unknown };
  return errors === undefined ? data?.[operation] : undefined;
}

/** The kinds, each as often as it says, in an order in which they are spread over the second. */
export function spread<Kind extends string>(counts: Readonly<Record<Kind, number>>): Kind[] {
  const places = (Object.entries(counts) as [Kind, number][]).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, index) => ({ kind, at: (index + 0.5) / count })),
  );
  return places.toSorted((a, b) => a.at - b.at).map(({ kind }) => kind);
}
