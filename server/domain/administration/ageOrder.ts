export const ageOrders = ['newest', 'oldest'] as const;
export type AgeOrder = (typeof ageOrders)[number];
