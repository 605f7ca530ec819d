import { expect, test } from '@jest/globals';
import { recordHead } from '../../../server/domain/feed/recordHead.ts';
import { scopeBits } from '../../../server/domain/shared/scopes.ts';

const facts = (time: string) => [
  '9',
  'veh_x',
  'con_x',
  '12',
  String(scopeBits('vehicles.read', 'vehicles.history.read')),
  't',
  '2026-11-21',
  time,
];

test('a record begins with its id, type, revision, time, connection, scopes and completeness', () => {
  expect(JSON.parse(`${recordHead(facts('05:30:31.12+00'))}"status":"sold"}`)).toEqual({
    id: 'veh_x',
    type: 'vehicle',
    revision: 12,
    updated_at: '2026-11-21T05:30:31.120Z',
    connection_id: 'con_x',
    scopes: ['vehicles.read', 'vehicles.history.read'],
    history_complete: true,
    status: 'sold',
  });
});

test('times have three digits of a second, however PostgreSQL writes them', () => {
  for (const [written, wanted] of [
    ['00', '000'],
    ['00.5', '500'],
    ['00.05', '050'],
    ['00.123', '123'],
    ['00.123456', '123'],
  ] as const) {
    expect(recordHead(facts(`05:30:${written}+00`))).toContain(`"2026-11-21T05:30:00.${wanted}Z"`);
  }
});
