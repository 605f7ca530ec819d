/** An integration has one client in each environment (docs/specification.md, “Clients”). */
export const environments = ['sandbox', 'production'] as const;
export type Environment = (typeof environments)[number];
