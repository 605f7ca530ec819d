/** What a corpus shares, as in "500 orders and 50 stock vehicles". Empty if its scopes cover no individual data. */
export function corpusWords({ orders, vehicles }: { orders: number; vehicles: number }): string {
  return [...(orders > 0 ? [`${orders} orders`] : []), ...(vehicles > 0 ? [`${vehicles} stock vehicles`] : [])].join(' and ');
}
