import { KiB, MiB } from '../domain/shared/limits.ts';

/** What a GraphQL request to the portal may contain (docs/specification.md, “Portal requests”); sizes in bytes. */
export const graphqlLimits = {
  /** A full batch is 1,000 snapshots of 16,000 bytes. The rest is for keys, users and JSON's own characters. */
  toolingBodyBytes: 20 * MiB,
  graphqlDepth: 9,
  graphqlCost: 3_000,
  graphqlBodyBytes: 128 * KiB,
  /** How much a caller without a session or token may send. The response of a passkey takes some two thousand bytes. */
  anonymousBodyBytes: 16 * KiB,
  /** Values and names together. A batch of orders with everything that the allowlist permits has some 350,000. */
  jsonValues: 400_000,
  jsonDepth: 64,
  /** Of one number, in a row. A double has 17 that count. */
  jsonDigits: 1_000,
  graphqlLines: 1_000,
  /** The pages' documents have about a hundred. Comparing fields of one name costs the square of their number. */
  graphqlTokens: 1_500,
  /** The same of a caller without a session or token, who holds up nobody for a fifth of the time. */
  strangersTokens: 500,
  /** Mistakes of a document that are reported at once. Each names its line, for which the text is read from the beginning. */
  graphqlErrors: 10,
  /** Items of any list in the input: more than any operation takes, so that each operation can name its own limit. */
  listedItems: 2_000,
} as const;
