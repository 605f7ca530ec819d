/** Each operation of the machine API by its name, with its path as in the OpenAPI description. */
export const operationPaths: Readonly<Record<string, string>> = {
  getCapabilities: '/v1/capabilities',
  redeemLinkCode: '/v1/link-codes/redeem',
  getSync: '/v1/sync',
  getOrder: '/v1/orders/{order_id}',
  getOrderHistory: '/v1/orders/{order_id}/history',
  getVehicle: '/v1/vehicles/{vehicle_id}',
  getVehicleHistory: '/v1/vehicles/{vehicle_id}/history',
  getOrderStatistics: '/v1/statistics/orders',
  getCaCertificates: '/.well-known/est/cacerts',
  getCsrAttributes: '/.well-known/est/csrattrs',
  renewCertificate: '/.well-known/est/simplereenroll',
  acknowledgeRevocation: '/v1/revocations/{revocation_id}/ack',
};

/** The name of a logged operation. If a request matched no operation, the log does not have its path. */
export function operationWords(operation: string): string {
  if (operation === 'nothing') return 'no such path';
  if (operation === 'path') return 'wrong method';
  return operationPaths[operation] ?? operation;
}
