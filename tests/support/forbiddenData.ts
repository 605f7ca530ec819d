/** Values that must never leave the service; each of them occurs in something that is handed in. */
export const markers = {
  vin: '5YJ3E1EA7KF317000',
  orderNumber: 'RN118822334',
  street: 'Lindenweg',
  email: 'someone@example.org',
  phone: '+49 170 5550199',
  account: 'acct-77e1',
  gps: '48.137154',
  user: 'u-9f2c41',
  key: 'k-51d7aa',
} as const;

/** An order with each field of the allowlist. */
export const completeOrder = {
  status: 'in_transit',
  model: 'Kestrel',
  model_year: 2026,
  trim: 'Long Range',
  market: 'DE',
  exterior: 'Blue',
  interior: 'Black',
  option_codes: ['MKE', 'TLR2'],
  ordered_on: '2026-05-01',
  production: { scheduled_week: '2026-W20', started_on: '2026-05-12', completed_on: '2026-05-16' },
  delivery_estimate: { from: '2026-07-01', to: '2026-07-20' },
  shipping: {
    vessel: 'Opal Sound',
    voyage: '014W',
    origin_port: 'CNSHA',
    destination_port: 'DEBRV',
    events: [{ kind: 'loaded', port: 'CNSHA', at: '2026-06-01T10:00:00.000Z', estimated: false }],
  },
};

/** A stock vehicle with each field of the allowlist. */
export const completeVehicle = {
  status: 'available',
  model: 'Tarn',
  model_year: 2026,
  trim: 'Standard',
  market: 'NL',
  exterior: 'Silver',
  interior: 'Grey',
  option_codes: ['MKT'],
  listed_on: '2026-05-01',
};

const { shipping, production } = completeOrder;
const [event] = shipping.events;

/** Orders that carry what must not be stored: under its own name, nested, and under another name. `path` is where. */
export const forbiddenOrders = [
  { name: 'a VIN', path: 'vin', data: { ...completeOrder, vin: markers.vin } },
  {
    name: 'a VIN by another name',
    path: 'vehicleIdentificationNumber',
    data: { ...completeOrder, vehicleIdentificationNumber: markers.vin },
  },
  { name: 'a VIN as a trim', path: 'trim', data: { ...completeOrder, trim: markers.vin } },
  { name: 'a VIN within a model', path: 'model', data: { ...completeOrder, model: `Kestrel ${markers.vin}` } },
  { name: 'a VIN in groups', path: 'interior', data: { ...completeOrder, interior: 'LRWY GCEK XRC1 2345 6' } },
  { name: 'a VIN as a vessel', path: 'shipping.vessel', data: { ...completeOrder, shipping: { ...shipping, vessel: markers.vin } } },
  { name: 'a VIN as a voyage', path: 'shipping.voyage', data: { ...completeOrder, shipping: { ...shipping, voyage: markers.vin } } },
  { name: 'a VIN as an option code', path: 'option_codes[0]', data: { ...completeOrder, option_codes: [markers.vin] } },
  {
    name: 'a VIN nested in production',
    path: 'production.vin',
    data: { ...completeOrder, production: { ...production, vin: markers.vin } },
  },
  { name: 'an order number', path: 'order_number', data: { ...completeOrder, order_number: markers.orderNumber } },
  { name: 'an order number as an interior', path: 'interior', data: { ...completeOrder, interior: markers.orderNumber } },
  {
    name: 'an order number as an option code',
    path: 'option_codes[1]',
    data: { ...completeOrder, option_codes: ['MKE', markers.orderNumber] },
  },
  { name: 'an address', path: 'address', data: { ...completeOrder, address: { street: markers.street, postcode: '80331' } } },
  {
    name: 'an address nested in an estimate',
    path: 'delivery_estimate.address',
    data: { ...completeOrder, delivery_estimate: { address: markers.street } },
  },
  { name: 'an address in place of a market', path: 'market', data: { ...completeOrder, market: { street: markers.street } } },
  { name: 'an email address as a trim', path: 'trim', data: { ...completeOrder, trim: markers.email } },
  { name: 'a telephone number as an exterior', path: 'exterior', data: { ...completeOrder, exterior: markers.phone } },
  { name: 'an account', path: 'account', data: { ...completeOrder, account: { id: markers.account } } },
  {
    name: 'a position in a shipping event',
    path: 'shipping.events[0].gps',
    data: { ...completeOrder, shipping: { ...shipping, events: [{ ...event, gps: markers.gps }] } },
  },
  { name: 'a raw payload', path: 'raw', data: { ...completeOrder, raw: JSON.stringify(markers) } },
  {
    name: 'a prototype',
    path: '__proto__',
    data: JSON.parse(`{"status":"placed","model":"Kestrel","market":"DE","__proto__":{"vin":"${markers.vin}"}}`) as object,
  },
].map((row) => ({ ...row, type: 'order' as const }));

/** Stock vehicles, likewise. */
export const forbiddenVehicles = [
  { name: 'a vehicle’s VIN', path: 'vin', data: { ...completeVehicle, vin: markers.vin } },
  { name: 'a vehicle’s name', path: 'name', data: { ...completeVehicle, name: markers.account } },
  { name: 'a vehicle’s doors', path: 'doors', data: { ...completeVehicle, doors: { locked: true } } },
  { name: 'a vehicle’s shipping', path: 'shipping', data: { ...completeVehicle, shipping } },
  { name: 'a vehicle’s price', path: 'financing', data: { ...completeVehicle, financing: { monthly: 299 } } },
].map((row) => ({ ...row, type: 'vehicle' as const }));
