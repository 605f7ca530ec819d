import type { OrderData, VehicleData } from '../../../server/domain/tracking/allowlist.ts';

export const sampleOrder = {
  status: 'placed',
  model: 'Kestrel',
  market: 'DE',
  option_codes: ['MKE', 'TLR2', 'PFB4'],
  ordered_on: '2026-05-01',
} satisfies OrderData;
export const sampleVehicle = { status: 'available', model: 'Tarn', market: 'NL', listed_on: '2026-05-01' } satisfies VehicleData;
export const sampleShipping = {
  vessel: 'Opal Sound',
  voyage: '014W',
  origin_port: 'CNSHA',
  destination_port: 'DEBRV',
  events: [{ kind: 'loaded', port: 'CNSHA', at: '2026-09-01T10:00:00.000Z', estimated: false }],
} satisfies NonNullable<OrderData['shipping']>;
