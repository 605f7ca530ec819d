/** How a list by age is ordered. */
export const ageOrders = ['newest', 'oldest'] as const;
export type AgeOrder = (typeof ageOrders)[number];
