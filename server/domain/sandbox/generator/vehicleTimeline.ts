import type { VehicleData, VehicleStatus } from '../../tracking/allowlist.ts';
import { configure } from './modelRange.ts';
import type { Random } from './seededRandom.ts';
import { calendar, walk, type Happening, type Step } from './timeline.ts';

/** What an invented stock vehicle is meant to become. The rest follows from the seed. */
export type VehiclePlan = { readonly model: string; readonly market: string; readonly status: VehicleStatus };

/** A stock vehicle's life from its listing to the planned status, which it reached before the day of `now`. */
export function vehicleLife(random: Random, { model, market, status }: VehiclePlan, now: Date): Step<VehicleData>[] {
  const happenings: Happening<VehicleData>[] = [];
  let day = 0;
  const become = (next: VehicleStatus): void => {
    day += random.between(2, 21);
    happenings.push({ day, apply: (vehicle) => ({ ...vehicle, status: next }) });
  };
  if (random.chance(0.5)) {
    become('reserved');
    become('available');
  }
  if (random.chance(0.4)) {
    day += random.between(1, 14);
    happenings.push({ day, apply: withDealerPackage });
  }
  if (status === 'reserved' || status === 'sold') become('reserved');
  if (status === 'sold' || status === 'withdrawn') become(status);
  const gone = status === 'sold' || status === 'withdrawn';
  const age = day + random.between(1, gone ? 500 : 60);
  const days = calendar(random, now, age);
  const listedOn = days.date(0);
  const first: VehicleData = {
    status: 'available',
    ...configure(random, model),
    market,
    model_year: Number(listedOn.slice(0, 4)) - random.between(0, 1),
    listed_on: listedOn,
  };
  return walk(first, happenings, days, age);
}

/** Stock vehicles get winter wheels or mats at the dealer. */
function withDealerPackage(vehicle: VehicleData): VehicleData {
  return { ...vehicle, option_codes: [...(vehicle.option_codes ?? []), 'DLR1'] };
}
