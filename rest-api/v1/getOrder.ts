import { readSnapshot } from './readSnapshot.ts';
import type { Answer, Call, Services } from '../Operation.ts';

/** GET /v1/orders/{order_id}: the current allowed snapshot of a shared order. */
export function getOrder(call: Call, services: Services): Promise<Answer> {
  return readSnapshot(call, services, { type: 'order', prefix: 'ord', scope: 'orders.read' });
}
