/** An integration has a client in each of them (specification, “Client and certificate”). */
export const environments = ['sandbox', 'production'] as const;
export type Environment = (typeof environments)[number];
