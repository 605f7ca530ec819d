import type { Operation } from './Operation.ts';
import { acknowledgeRevocation } from './v1/acknowledgeRevocation.ts';
import { getCaCertificates } from './est/getCaCertificates.ts';
import { getCsrAttributes } from './est/getCsrAttributes.ts';
import { renewCertificate } from './est/renewCertificate.ts';
import { getCapabilities } from './v1/getCapabilities.ts';
import { getOrder } from './v1/getOrder.ts';
import { getOrderHistory } from './v1/getOrderHistory.ts';
import { getOrderStatistics } from './v1/getOrderStatistics.ts';
import { getSync } from './v1/getSync.ts';
import { getVehicle } from './v1/getVehicle.ts';
import { getVehicleHistory } from './v1/getVehicleHistory.ts';
import { redeemLinkCode } from './v1/redeemLinkCode.ts';

/** The machine API. Each row is an operation (docs/specification.md, “Paths”). */
export const operations: readonly Operation[] = [
  {
    name: 'getCapabilities',
    method: 'GET',
    path: '/v1/capabilities',
    scopes: [],
    costClass: 'pull',
    gated: false,
    query: [],
    handle: getCapabilities,
  },
  {
    name: 'redeemLinkCode',
    method: 'POST',
    path: '/v1/link-codes/redeem',
    scopes: ['orders.read', 'vehicles.read'],
    costClass: 'redeem',
    gated: true,
    query: [],
    body: ['code'],
    handle: redeemLinkCode,
  },
  {
    name: 'getSync',
    method: 'GET',
    path: '/v1/sync',
    scopes: ['orders.read', 'vehicles.read'],
    costClass: 'pull',
    gated: true,
    query: ['updated_since', 'limit'],
    handle: getSync,
  },
  {
    name: 'getOrder',
    method: 'GET',
    path: '/v1/orders/{order_id}',
    scopes: ['orders.read'],
    costClass: 'pull',
    gated: true,
    query: [],
    handle: getOrder,
  },
  {
    name: 'getOrderHistory',
    method: 'GET',
    path: '/v1/orders/{order_id}/history',
    scopes: ['orders.history.read'],
    costClass: 'pull',
    gated: true,
    query: ['after', 'limit'],
    handle: getOrderHistory,
  },
  {
    name: 'getVehicle',
    method: 'GET',
    path: '/v1/vehicles/{vehicle_id}',
    scopes: ['vehicles.read'],
    costClass: 'pull',
    gated: true,
    query: [],
    handle: getVehicle,
  },
  {
    name: 'getVehicleHistory',
    method: 'GET',
    path: '/v1/vehicles/{vehicle_id}/history',
    scopes: ['vehicles.history.read'],
    costClass: 'pull',
    gated: true,
    query: ['after', 'limit'],
    handle: getVehicleHistory,
  },
  {
    name: 'getOrderStatistics',
    method: 'GET',
    path: '/v1/statistics/orders',
    scopes: ['statistics.orders.read'],
    costClass: 'statistics',
    gated: true,
    query: [],
    handle: getOrderStatistics,
  },
  {
    name: 'acknowledgeRevocation',
    method: 'POST',
    path: '/v1/revocations/{revocation_id}/ack',
    scopes: ['revocations.ack'],
    costClass: 'pull',
    gated: false,
    query: [],
    body: ['deletion_completed'],
    handle: acknowledgeRevocation,
  },
  {
    name: 'getCaCertificates',
    method: 'GET',
    path: '/.well-known/est/cacerts',
    scopes: [],
    costClass: 'est',
    gated: false,
    query: [],
    handle: getCaCertificates,
  },
  {
    name: 'getCsrAttributes',
    method: 'GET',
    path: '/.well-known/est/csrattrs',
    scopes: [],
    costClass: 'est',
    gated: false,
    query: [],
    handle: getCsrAttributes,
  },
  {
    name: 'renewCertificate',
    method: 'POST',
    path: '/.well-known/est/simplereenroll',
    scopes: [],
    costClass: 'est',
    gated: false,
    query: [],
    body: 'pkcs10',
    handle: renewCertificate,
  },
];
