import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { find } from '../../../server/domain/search/find.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  // 1,200 integrations have the word in their names, and none of them was ever submitted.
  await world.rows(`set session_replication_role = replica;
    insert into integration (id, operator_id, slug, status, profile_version, created_at)
    select 'int_' || lpad(n::text, 26, '0'), 'opr_1', 'the-harbour-' || n, 'sandbox', 1, now() from generate_series(1, 1200) n;
    insert into profile_version (integration_id, version, public_name, public_description, purpose, legal_operator_name, country, support_email, website_url,
      privacy_policy_url, terms_of_service_url, order_linking_url, requested_scopes, polling_cadence_minutes, webhook_model, terms_version, attribution_accepted_at, created_at, created_by)
    select id, 1, 'The Harbour', 'Words', 'Words', 'Ltd', 'DE', 'a@example.org', 'https://example.org', 'https://example.org', 'https://example.org', 'https://example.org',
           '{orders.read}', 15, 'none', 1, now(), now(), 'opr_1' from integration;
    set session_replication_role = origin`);
});
afterAll(() => world?.close());

const foundBy = async (roles: readonly ('reviewer' | 'administrator')[], text: string) => {
  const reader = { operatorId: newId('opr'), roles };
  const { found } = await find(world.em(), { reader, text, now: new Date() });
  return found.map(({ integration }) => integration?.slug);
};

test('staff who type a word that a thousand names contain find the one that begins with it first', async () => {
  await world.rows("update integration set slug = 'harbour-lights' where slug = 'the-harbour-1200'");
  expect((await foundBy(['administrator'], 'harbour'))[0]).toBe('harbour-lights');
});

test('a reviewer finds the one that was submitted among a thousand of the same name that never were', async () => {
  expect(await foundBy(['reviewer'], 'harbour')).toEqual([]);
  await world.rows(`set session_replication_role = replica;
    insert into review_submission (id, integration_id, operator_id, round, profile_version, scopes, terms_version, review_url, statement, status, submitted_at, waiting_for, waiting_since, submitted_from)
    select '${newId('sub')}', id, 'opr_1', 1, 1, '{orders.read}', 1, 'https://example.org', '{}', 'submitted', now(), 'reviewer', now(), 'sandbox'
      from integration where slug = 'the-harbour-1100';
    set session_replication_role = origin`);
  expect(await foundBy(['reviewer'], 'harbour')).toEqual(['the-harbour-1100']);
});
