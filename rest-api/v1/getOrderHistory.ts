import { readHistory } from './readHistory.ts';
import type { Answer, Call, Services } from '../Operation.ts';

/** GET /v1/orders/{order_id}/history: the allowed changes of a shared order, page by page. */
export function getOrderHistory(call: Call, services: Services): Promise<Answer> {
  return readHistory(call, services, { type: 'order', prefix: 'ord', scope: 'orders.history.read' });
}
