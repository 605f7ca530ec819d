import type { Random } from './seededRandom.ts';

type Choice = { readonly name: string; readonly code: string };

/** An invented range. No maker sells it, but it has the shape of a real one. */
const models = [
  { name: 'Kestrel', code: 'MKE', weight: 46, trims: trims('Standard Range', 'Long Range', 'Performance') },
  { name: 'Meridian', code: 'MME', weight: 30, trims: trims('Rear-Wheel Drive', 'All-Wheel Drive', 'Performance') },
  { name: 'Borealis', code: 'MBO', weight: 16, trims: trims('Touring', 'Grand Touring') },
  { name: 'Tarn', code: 'MTA', weight: 8, trims: trims('City', 'Family', 'Family Plus') },
] as const;

const exteriors = choices(
  'P',
  'Glacier White',
  'Basalt Grey',
  'Midnight Black',
  'Fjord Blue',
  'Rowan Red',
  'Lichen Green',
  'Quartz Silver',
);
const interiors = choices('I', 'Black', 'Black and Oak', 'Chalk White', 'Saddle Brown');
const wheels = choices('W', '18 inch Arc', '19 inch Blade', '20 inch Vortex', '21 inch Halo');
const extras = ['TOW1', 'HTPK', 'AUD2', 'DRA1', 'DRA2', 'GLS3', 'SEA7', 'WNT1', 'CHG2', 'RFR1', 'AIR1', 'MAT2'] as const;

export const modelNames = models.map((model) => model.name);

/** A model, chosen by its share of the sales. */
export function popularModel(random: Random): string {
  return random.weighted(models).name;
}

/** One car, as it is ordered or kept in stock. */
type Configuration = {
  readonly model: string;
  readonly trim: string;
  readonly exterior: string;
  readonly interior: string;
  readonly option_codes: string[];
};

/** A car of this model with all choices made. Option codes: model, trim, paint, interior, wheels, then extras. */
export function configure(random: Random, modelName: string): Configuration {
  const model = models.find((candidate) => candidate.name === modelName) ?? models[0];
  const trim = random.pick<Choice>(model.trims);
  const exterior = random.pick(exteriors);
  const interior = random.pick(interiors);
  const chosen = random.shuffled(extras).slice(0, random.between(1, 6)).sort();
  const option_codes = [model.code, trim.code, exterior.code, interior.code, random.pick(wheels).code, ...chosen];
  return { model: model.name, trim: trim.name, exterior: exterior.name, interior: interior.name, option_codes };
}

/** The same car after a change of mind: with another paint, other wheels, or one extra more or less. */
export function reconfigure<Data extends { exterior?: string | null; option_codes?: string[] | null }>(random: Random, data: Data): Data {
  const codes = [...(data.option_codes ?? [])];
  const kind = random.between(1, 4);
  if (kind === 1) {
    const paint = random.pick(exteriors.filter((exterior) => exterior.code !== codes[2]));
    codes[2] = paint.code;
    return { ...data, exterior: paint.name, option_codes: codes };
  }
  if (kind === 2) codes[4] = random.pick(wheels.filter((wheel) => wheel.code !== codes[4])).code;
  else if (kind === 3 && codes.length > 6) codes.pop();
  else codes.push(random.pick(extras.filter((extra) => !codes.includes(extra))));
  return { ...data, option_codes: codes };
}

function trims(...names: readonly string[]): Choice[] {
  return choices('T', ...names);
}

/** Names with the codes A1, A2, … */
function choices(letter: string, ...names: readonly string[]): Choice[] {
  return names.map((name, index) => ({ name, code: `${letter}${initials(name)}${index + 1}` }));
}

function initials(name: string): string {
  return name
    .replace(/[^A-Za-z0-9 -]/g, '')
    .split(/[ -]/)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
    .slice(0, 4);
}
