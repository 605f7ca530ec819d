import { readSnapshot } from './readSnapshot.ts';
import type { Answer, Call, Services } from '../Operation.ts';

/** GET /v1/vehicles/{vehicle_id}: the current allowed snapshot of a shared stock vehicle. */
export function getVehicle(call: Call, services: Services): Promise<Answer> {
  return readSnapshot(call, services, { type: 'vehicle', prefix: 'veh', scope: 'vehicles.read' });
}
