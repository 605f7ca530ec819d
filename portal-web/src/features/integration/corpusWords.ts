/** What a corpus shares, as in "500 orders and 50 stock vehicles"; empty when its scopes show nothing individual. */
export function corpusWords({ orders, vehicles }: { orders: number; vehicles: number }): string {
  return [...(orders > 0 ? [`${orders} orders`] : []), ...(vehicles > 0 ? [`${vehicles} stock vehicles`] : [])].join(' and ');
}
