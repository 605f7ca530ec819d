/** A call as every language writes it. Places for values are in double braces: `{{order_id}}`. */
export type Call = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: { readonly json: unknown } | { readonly file: string } | null;
};
