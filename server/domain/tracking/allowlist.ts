import { z } from 'zod';
import { isCountry } from '../shared/isCountry.ts';
import { namesOf } from '../shared/lifecycle.ts';
import type { Scope } from '../shared/scopes.ts';
import { orderStatusFacts, shippingEventKinds, vehicleStatusFacts } from './statusFacts.ts';
import { holdsVin } from './vin.ts';

export const orderStatuses = namesOf(orderStatusFacts);
export type OrderStatus = (typeof orderStatuses)[number];

export const vehicleStatuses = namesOf(vehicleStatusFacts);
export type VehicleStatus = (typeof vehicleStatuses)[number];

/** Stored separately, because a share without shipping.read must neither show the second section nor be moved by it. */
export const sections = ['core', 'shipping'] as const;
export type Section = (typeof sections)[number];

const mostWords = 10;
const longestWord = 24;

// Forbidden data would slip in as free text. Names of models, colours and ships are a few words with few digits. Vehicle identification numbers,
// order numbers, telephone numbers, postcodes and coordinates have many, even if they are written in groups.
const words = z
  .string()
  .min(1)
  .max(80, { abort: true })
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N} .'’&+/()-]*$/u, 'must be plain words')
  .refine((text) => !holdsVin(text), 'must not contain a vehicle identification number')
  .refine(ofCatalogue, 'must be a name as a catalogue has it: at most ten words, each of at most 24 characters and of one script')
  .refine((text) => fewDigits(text) && (text.match(/\p{N}/gu) ?? []).length <= 6, 'must not contain a number of more than four digits');
const country = z.string().refine(isCountry, 'must be an ISO 3166-1 alpha-2 code');
const port = z.string().regex(/^[A-Z]{2}[A-Z2-9]{3}$/, 'must be a UN/LOCODE');
const week = z.string().refine(isWeek, 'must be an ISO 8601 week such as 2026-W07');
// Only dates of this century, because no birthday can then pass as a date of an order.
const instant = z.iso
  .datetime({ precision: 3, error: 'must be an RFC 3339 UTC time with milliseconds' })
  .refine(ofThisCentury, 'must be a time between 2000 and 2099');
const date = z.iso.date('must be a date such as 2026-02-17').refine(ofThisCentury, 'must be a date between 2000 and 2099');
const year = z.number().int().min(2000).max(2100);
const optionCodes = z
  .array(
    z
      .string()
      .regex(/^[A-Z0-9$-]{1,10}$/, { error: 'must be an option code', abort: true })
      .refine(fewDigits, 'must be an option code'),
  )
  .max(64);

const production = z.strictObject({ scheduled_week: week.nullish(), started_on: date.nullish(), completed_on: date.nullish() });
const deliveryEstimate = z
  .strictObject({ from: date.nullish(), to: date.nullish() })
  .refine(({ from, to }) => !from || !to || from <= to, { path: ['to'], error: 'must not be earlier than “from”' });
const shipping = z.strictObject({
  vessel: words.nullish(),
  voyage: z
    .string()
    .regex(/^[A-Z0-9-]{1,10}$/, { error: 'must be a voyage number', abort: true })
    .refine(fewDigits, 'must be a voyage number')
    .nullish(),
  origin_port: port.nullish(),
  destination_port: port.nullish(),
  events: z
    .array(z.strictObject({ kind: z.enum(shippingEventKinds), port, at: instant, estimated: z.boolean() }))
    .max(24)
    .nullish(),
});

/** Order numbers and telephone numbers have a run of at least five digits, in whatever script. */
function fewDigits(text: string): boolean {
  return !/\p{N}{5}/u.test(text);
}

/**
 * Whether each word looks like one of a catalogue: at most 24 characters, of one script, and at most twelve where letters and digits are mixed, as
 * in “xDrive40e”.
 */
function ofCatalogue(text: string): boolean {
  const parts = text.split(' ').filter((part) => part !== '');
  return parts.length <= mostWords && parts.every((part) => isShort(part) && inOneScript(part) && (part.length <= 12 || !isMixed(part)));
}

function isShort(word: string): boolean {
  return word.length <= longestWord || [...word].length <= longestWord;
}

function inOneScript(word: string): boolean {
  return !/\p{Script=Latin}/u.test(word) || !/[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Cherokee}]/u.test(word);
}

function isMixed(word: string): boolean {
  return /\p{L}/u.test(word) && /\p{N}/u.test(word);
}

/** A year has a 53rd week if it begins or ends on a Thursday (ISO 8601). */
function isWeek(text: string): boolean {
  const [, inYear, number] = /^(20\d\d)-W(\d\d)$/.exec(text) ?? [];
  if (Number(number) === 53) {
    const thursday = 4;
    return [`${inYear}-01-01`, `${inYear}-12-31`].some((day) => new Date(day).getUTCDay() === thursday);
  }
  return Number(number) >= 1 && Number(number) <= 52;
}

function ofThisCentury(text: string): boolean {
  return text.startsWith('20');
}

type AllowedField = { readonly section: Section; readonly scope: Scope; readonly schema: z.ZodType };

/**
 * The global allowlist: each field that may be stored and sent, in the order in which it is written, with the section in which it is kept,
 * the scope that shows it and the values that it may have (docs/specification.md, “Data boundary”). What is not named here cannot get out.
 */
export const allowlist = {
  order: {
    status: { section: 'core', scope: 'orders.read', schema: z.enum(orderStatuses) },
    model: { section: 'core', scope: 'orders.read', schema: words },
    model_year: { section: 'core', scope: 'orders.read', schema: year.nullish() },
    trim: { section: 'core', scope: 'orders.read', schema: words.nullish() },
    market: { section: 'core', scope: 'orders.read', schema: country },
    exterior: { section: 'core', scope: 'orders.read', schema: words.nullish() },
    interior: { section: 'core', scope: 'orders.read', schema: words.nullish() },
    option_codes: { section: 'core', scope: 'orders.read', schema: optionCodes.nullish() },
    ordered_on: { section: 'core', scope: 'orders.read', schema: date.nullish() },
    production: { section: 'core', scope: 'orders.read', schema: production.nullish() },
    delivery_estimate: { section: 'core', scope: 'orders.read', schema: deliveryEstimate.nullish() },
    shipping: { section: 'shipping', scope: 'shipping.read', schema: shipping.nullish() },
  },
  vehicle: {
    status: { section: 'core', scope: 'vehicles.read', schema: z.enum(vehicleStatuses) },
    model: { section: 'core', scope: 'vehicles.read', schema: words },
    model_year: { section: 'core', scope: 'vehicles.read', schema: year.nullish() },
    trim: { section: 'core', scope: 'vehicles.read', schema: words.nullish() },
    market: { section: 'core', scope: 'vehicles.read', schema: country },
    exterior: { section: 'core', scope: 'vehicles.read', schema: words.nullish() },
    interior: { section: 'core', scope: 'vehicles.read', schema: words.nullish() },
    option_codes: { section: 'core', scope: 'vehicles.read', schema: optionCodes.nullish() },
    listed_on: { section: 'core', scope: 'vehicles.read', schema: date.nullish() },
  },
} as const satisfies Record<string, Record<string, AllowedField>>;

export type ResourceType = keyof typeof allowlist;

type DataOf<Fields extends Record<string, AllowedField>> = z.input<
  z.ZodObject<{ -readonly [Name in keyof Fields]: Fields[Name]['schema'] }>
>;

/** An order in the form in which the order-tracking service may supply it. Optional fields may be absent or null. */
export type OrderData = DataOf<(typeof allowlist)['order']>;
/** A stock vehicle, in the same way. */
export type VehicleData = DataOf<(typeof allowlist)['vehicle']>;
export type ResourceData = { readonly order: OrderData; readonly vehicle: VehicleData };
/** Vessel, voyage, ports and events of a granted order (scope shipping.read). */
export type Shipping = z.input<typeof shipping>;
