import { expect, test } from '@jest/globals';
import { eventTypeFacts } from '../../../server/domain/outbox/eventTypeFacts.ts';
import { deliveryEnvelope, type DeliverableEvent } from '../../../server/domain/webhook/envelope.ts';

const connectionId = 'con_0123456789abcdefghjkmnpqrs';
const resource = { id: 'ord_0123456789abcdefghjkmnpqrs', type: 'order' } as const;
const revocationId = 'rev_0123456789abcdefghjkmnpqrs';
const generationId = 'gen_0123456789abcdefghjkmnpqrs';
const deletionDeadlineAt = new Date('2026-11-28T10:00:00.250Z');
const deletion = { revocation_id: revocationId, deletion_deadline_at: '2026-11-28T10:00:00.250Z' };
/** A row of the table with everything that any type has, of which each type takes only what is its own. */
const row = {
  id: 'evt_1',
  occurredAt: new Date('2026-11-21T10:00:00.250Z'),
  connectionId,
  resource,
  revocationId,
  deletionDeadlineAt,
  generationId,
};

const dataOfTypes = {
  'connection.created': { connection_id: connectionId },
  'resource.granted': { connection_id: connectionId, resource },
  'resource.updated': { connection_id: connectionId, resource },
  'resource.revoked': { connection_id: connectionId, resource, ...deletion },
  'connection.revoked': { connection_id: connectionId, ...deletion },
  'statistics.updated': { generation_id: generationId },
  'integration.suspended': {},
} satisfies Record<DeliverableEvent['type'], object>;
const types = Object.keys(dataOfTypes) as DeliverableEvent['type'][];

const envelope = (type: DeliverableEvent['type'], snapshot?: { text: string; historyComplete: boolean }) =>
  deliveryEnvelope({ event: { ...row, type }, source: 'https://api.example', environment: 'production', snapshot });

test.each(types)('the notification of %s holds what its type has, and nothing else', (type) => {
  expect(JSON.parse(envelope(type))).toEqual({
    specversion: '1.0',
    id: 'evt_1',
    type,
    source: 'https://api.example',
    time: '2026-11-21T10:00:00.250Z',
    environment: 'production',
    data: dataOfTypes[type],
  });
});

test.each(types)('only granted and updated resources enclose a snapshot: %s', (type) => {
  const text = '{"id":"ord_0123456789abcdefghjkmnpqrs","model":"Größer – \\"x\\""}';
  const enclose = () => JSON.parse(envelope(type, { text, historyComplete: false })) as { data: object };
  if (eventTypeFacts[type].about === 'resource') {
    expect(enclose().data).toEqual({ ...dataOfTypes[type], snapshot: JSON.parse(text), history_complete: false });
  } else {
    expect(enclose).toThrow('never encloses a snapshot');
  }
});

test('an event that lacks what its type has is never sent', () => {
  const event = { ...row, type: 'resource.revoked', deletionDeadlineAt: null } as const;
  expect(() => deliveryEnvelope({ event, source: 'https://api.example', environment: 'sandbox' })).toThrow('without deletionDeadlineAt');
});
