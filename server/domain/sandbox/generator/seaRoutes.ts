import type { Random } from './seededRandom.ts';

/** Where cars are ordered, by share of the orders, and the port (UN/LOCODE) at which they land. */
export const markets = [
  { code: 'DE', weight: 34, port: 'DEBRV', overseas: false },
  { code: 'NL', weight: 18, port: 'NLRTM', overseas: false },
  { code: 'NO', weight: 15, port: 'NODRM', overseas: true },
  { code: 'FR', weight: 11, port: 'FRLEH', overseas: false },
  { code: 'GB', weight: 9, port: 'GBSOU', overseas: true },
  { code: 'SE', weight: 6, port: 'SEGOT', overseas: true },
  { code: 'IT', weight: 4, port: 'ITLIV', overseas: false },
  { code: 'ES', weight: 3, port: 'ESBCN', overseas: false },
] as const;

/** Invented car carriers. */
const vessels = [
  'Aurora Strait',
  'Northern Lantern',
  'Coral Meridian',
  'Amber Tideway',
  'Silver Isthmus',
  'Polar Compass',
  'Jade Estuary',
  'Atlantic Heron',
  'Granite Harbour',
  'Violet Passage',
  'Cedar Horizon',
  'Opal Sound',
  'Boreal Drifter',
  'Saffron Quay',
] as const;

/** One sailing, with its length in days. */
export type Voyage = {
  readonly vessel: string;
  readonly voyage: string;
  readonly origin: string;
  readonly destination: string;
  readonly days: number;
  /** A port on the way at which the car changes ships, and the day on which it does. */
  readonly transshipment: { readonly port: string; readonly day: number } | null;
};

/** How the car travels to its market, or null if it comes by road. Islands and Scandinavia are always reached by sea. */
export function planVoyage(random: Random, marketCode: string, { bySea }: { readonly bySea: boolean }): Voyage | null {
  const market = markets.find((candidate) => candidate.code === marketCode) ?? markets[0];
  const fromAsia = random.chance(0.6);
  if (!fromAsia && !market.overseas && !bySea) return null;
  const vessel = random.pick(vessels);
  const voyage = `${String(random.between(1, 299)).padStart(3, '0')}${fromAsia ? 'W' : 'N'}`;
  if (!fromAsia && market.overseas) {
    return { vessel, voyage, origin: 'BEZEE', destination: market.port, days: random.between(3, 6), transshipment: null };
  }
  const days = random.between(30, 48);
  const transshipment = random.chance(0.4) ? { port: random.pick(['SGSIN', 'EGPSD']), day: random.between(9, 20) } : null;
  return { vessel, voyage, origin: random.pick(['CNSHA', 'KRPUS']), destination: market.port, days, transshipment };
}
