import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../../server/domain/shared/ids.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { codesOf, type PortalClient } from '../support/clients/portalClient.ts';
import type { documents } from '../support/clients/portalDocuments.ts';
import { reviewer } from '../support/world/reviewPath.ts';
import { administrator } from '../support/clients/toolingClient.ts';

let application: PortalWorld;
let staff: Record<'reviewer' | 'administrator', PortalClient>;
let clientId: string;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  staff = { reviewer: await reviewer(application), administrator: await administrator(application) };
  clientId = (await staff.administrator.createIntegration()).clients[0]?.id ?? '';
});
afterAll(() => application.close());

/** Every list in order of time whose cursors hold the time, with who reads it and what else its cursors hold. */
const lists = [
  ['submissions', 'reviewer', newId('sub')],
  ['minorRevisions', 'reviewer', `${newId('int')} 2`],
  ['businessModelReports', 'reviewer', newId('bmr')],
  ['auditTrail', 'administrator', '1'],
  ['requests', 'administrator', newId('req')],
  ['failingWebhookEndpoints', 'administrator', '1'],
  ['allCertificates', 'administrator', `age ${newId('crt')}`],
  ['certificates', 'administrator', `0 ${newId('crt')}`],
] as const satisfies readonly (readonly [keyof typeof documents, keyof typeof staff, string])[];

const moments = [
  '0000-01-01T00:00:00.000Z',
  '2026-02-30T00:00:00.000Z',
  '2026-01-01T24:00:00.000Z',
  '9999-12-31T23:59:60.000Z',
  '9'.repeat(16),
  '-1',
  '1e3',
  '',
  'Infinity',
];

const page = async (list: keyof typeof documents, by: keyof typeof staff, after: string) =>
  staff[by].call<{ edges: unknown[] }>(list, {
    ...(list === 'submissions' && { tab: 'decided' }),
    ...((list === 'requests' || list === 'certificates') && { clientId }),
    after: Buffer.from(after).toString('base64url'),
  });

test.each(lists)('a cursor that somebody made up is refused by %s', async (list, by, rest) => {
  for (const after of [...moments.map((moment) => `${moment} ${rest}`), `${Date.now()} x_${rest}`, `${Date.now()} `, `${Date.now()}`]) {
    const answer = await page(list, by, after);
    expect([after, codesOf(answer)]).toEqual([after, ['BAD_USER_INPUT']]);
    expect(answer.errors[0]?.extensions.fields?.map(({ path }) => path)).toEqual(['after']);
  }
  expect(application.log()).not.toContain('internalError');
});

test.each(lists)('the first and the last moment that a cursor can name are places in %s', async (list, by, rest) => {
  for (const moment of ['0', '9'.repeat(15)]) expect((await page(list, by, `${moment} ${rest}`)).errors).toEqual([]);
});
