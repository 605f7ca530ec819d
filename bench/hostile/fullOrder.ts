import type { OrderData } from '../../server/domain/tracking/allowlist.ts';

/** As large as the allowlist lets an order be, and different in each round. */
export function fullOrder(round: number): OrderData {
  const long = 'é'.repeat(24);
  const word = `${String.fromCodePoint(65 + (round % 26))}${long.slice(1)} ${long} ${long} ${long.slice(0, 5)}`;
  const day = `2026-05-${String(10 + (round % 10)).padStart(2, '0')}`;
  const port = (index: number) => `DEA${String.fromCodePoint(65 + (index % 26))}${String.fromCodePoint(65 + (round % 26))}`;
  return {
    status: 'in_production',
    model: word,
    model_year: 2026 + (round % 2),
    trim: word,
    market: 'DE',
    exterior: word,
    interior: word,
    option_codes: Array.from({ length: 64 }, (_, index) => `${String.fromCodePoint(65 + (index % 26))}${index % 10}$${round % 10}-ABCDE`),
    ordered_on: day,
    production: { scheduled_week: '2026-W30', started_on: day, completed_on: day },
    delivery_estimate: { from: day, to: day },
    shipping: {
      vessel: word,
      voyage: `${round % 10}W`,
      origin_port: 'CNSHA',
      destination_port: 'DEBRV',
      events: Array.from({ length: 24 }, (_, index) => ({
        kind: 'loaded',
        port: port(index),
        at: `${day}T08:00:00.000Z`,
        estimated: true,
      })),
    },
  };
}
