import { expect, test } from '@jest/globals';
import { recordHead } from '../../../server/domain/feed/recordHead.ts';
import { scopeBits } from '../../../server/domain/shared/scopes.ts';

test('a record begins with its id, type, revision, time, connection, scopes and completeness', () => {
  const head = recordHead({
    id: 'veh_x',
    connectionId: 'con_x',
    revision: 12,
    updatedAt: '2026-11-21T05:30:31.120Z',
    scopes: scopeBits('vehicles.read', 'vehicles.history.read'),
    historyComplete: true,
  });
  expect(JSON.parse(`${head}"status":"sold"}`)).toEqual({
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
