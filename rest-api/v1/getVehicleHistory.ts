import { readHistory } from './readHistory.ts';
import type { Answer, Call, Services } from '../Operation.ts';

/** GET /v1/vehicles/{vehicle_id}/history: the allowed changes of a shared stock vehicle, page by page. */
export function getVehicleHistory(call: Call, services: Services): Promise<Answer> {
  return readHistory(call, services, { type: 'vehicle', prefix: 'veh', scope: 'vehicles.history.read' });
}
