import { expect, test } from '@jest/globals';
import { instanceOf, matchOperation, meantPath } from '../../../rest-api/matchOperation.ts';
import { operations } from '../../../rest-api/operations.ts';

const orderId = 'ord_01jd3v5x9k8m7n6p5q4r3s2t1v';

function found(method: string, path: string): unknown {
  const match = matchOperation(method, path);
  return match.found === 'operation' ? [match.operation.name, { ...match.parameters }] : match.found === 'path' ? match.allow : match.found;
}

test('every operation of the contract is found by its method and path', () => {
  for (const operation of operations) {
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
    const path = operation.path.replaceAll(/\{\w+\}/g, orderId);
    expect(found(operation.method, path)).toEqual([operation.name, Object.fromEntries(names.map((name) => [name, orderId]))]);
  }
});

test('HEAD is GET without a body, also where a path takes other methods', () => {
  expect(found('HEAD', '/v1/sync')).toEqual(['getSync', {}]);
  expect(found('HEAD', '/v1/link-codes/redeem')).toEqual(['POST']);
});

test.each([
  ['DELETE', '/v1/sync', ['GET', 'HEAD']],
  ['PUT', `/v1/orders/${orderId}`, ['GET', 'HEAD']],
  ['GET', '/v1/link-codes/redeem', ['POST']],
  ['get', '/v1/sync', ['GET', 'HEAD']],
])('%s %s names the methods that the path takes', (method, path, allow) => {
  expect(found(method, path)).toEqual(allow);
});

test.each([
  '/',
  '/v1',
  '/v1/sync/',
  '//v1/sync',
  '/v1//sync',
  '/V1/sync',
  '/v1/Sync',
  '/v1/s%79nc',
  '/v1/sync%2F',
  '/v1/syncs',
  '/v1/orders',
  '/v1/orders/',
  `/v1/orders/${orderId}/`,
  `/v1/orders/${orderId}/history/`,
  `/v1/orders/${orderId}/history/more`,
  '/v1/orders//history',
])('no operation has the path %s', (path) => {
  expect(found('GET', path)).toBe('nothing');
});

test.each(['%6Frd_1', 'a%2Fb', '%zz', '%', '.', '..', 'a:b', '{order_id}', 'a;b=c', "!$&'()*+,=@~"])(
  'an identifier in a path is taken as it was sent: %s',
  (id) => {
    expect(found('GET', `/v1/orders/${id}`)).toEqual(['getOrder', { order_id: id }]);
    expect(found('GET', `/v1/orders/${id}/history`)).toEqual(['getOrderHistory', { order_id: id }]);
  },
);

test('a problem repeats a path only if nothing in it can be a secret', () => {
  const instance = (method: string, path: string) => instanceOf(matchOperation(method, path), path);
  expect(instance('GET', `/v1/orders/${orderId}`)).toBe(`/v1/orders/${orderId}`);
  expect(instance('PUT', `/v1/orders/${orderId}`)).toBe(`/v1/orders/${orderId}`);
  expect(instance('GET', '/v1/sync')).toBe('/v1/sync');
  expect(instance('GET', '/v1/orders/0428815903')).toBe('/');
  expect(instance('GET', `/v1/orders/%6F${orderId.slice(1)}`)).toBe('/');
  expect(instance('GET', '/v1/link-codes/redeem/0428815903')).toBe('/');
});

test.each([
  ['/v1//capabilities', '/v1/capabilities'],
  ['//v1/capabilities', '/v1/capabilities'],
  ['/v1/capabilities/', '/v1/capabilities'],
  ['/v1/./capabilities//', '/v1/capabilities'],
  ['/V1/Capabilities', '/v1/capabilities'],
  ['/v1/s%79nc', '/v1/sync'],
  ['/capabilities', '/v1/capabilities'],
  ['/v1/v1/sync', '/v1/sync'],
  ['/v1/link-codes/redeem/', '/v1/link-codes/redeem'],
  [`/v1/orders/${orderId}/`, `/v1/orders/${orderId}`],
  [`/v1/orders//${orderId}/history`, `/v1/orders/${orderId}/history`],
  ['/.well-known/est/cacerts/', '/.well-known/est/cacerts'],
])('a caller who asks for %s is told of %s, and the problem repeats the path as it was sent', (path, meant) => {
  expect(found('GET', path)).toBe('nothing');
  expect(meantPath(path)).toBe(meant);
  expect(instanceOf(matchOperation('GET', path), path)).toBe(path);
});

test.each([
  '/',
  '/v1',
  '/v1/syncs',
  '/v1/orders/',
  '/v1/orders/0428815903/',
  '/v1//link-codes/redeem/0428815903',
  '/v1/../sync',
  '/%',
  '/v1%2Fsync',
])('nothing is known to be meant by %s, which is not repeated', (path) => {
  expect(meantPath(path)).toBeNull();
  expect(instanceOf(matchOperation('GET', path), path)).toBe('/');
});
