/** An integration has a client in each of them (docs/specification.md, “Clients”). */
export const environments = ['sandbox', 'production'] as const;
export type Environment = (typeof environments)[number];
