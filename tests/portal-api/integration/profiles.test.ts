import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { assertInputObjectType, buildSchema, isNonNullType } from 'graphql';
import { minorFields, typedInto } from '../../../server/domain/integration/profile/profileFields.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf, goodProfile, type IntegrationData, type PortalClient } from '../../support/clients/portalClient.ts';
import { reviewer } from '../../support/world/reviewPath.ts';
import { SandboxClient } from '../../support/clients/sandboxClient.ts';
import { administrator } from '../../support/clients/toolingClient.ts';

type Change = { field: string; label: string; before: string[]; after: string[]; consentRelevant: boolean; minor: boolean };
type Versions = {
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  edges: { cursor: string; node: { profile: { version: number; publicName: string }; changes: Change[] } }[];
};
type Field = { name: string; revisable: boolean };

let application: PortalWorld;
let owner: PortalClient;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  owner = await application.operator();
});
afterAll(() => application.close());

const { slug: _, termsVersion: __, attributionRulesAccepted: ___, nonCommercialUseAccepted: ____, ...profile } = goodProfile();
const revision = ({ id }: { id: string }, version: number, changes: Record<string, unknown> = {}) => ({
  input: { ...profile, integrationId: id, version, ...changes },
});
const setStatus = ({ id }: { id: string }, status: string) =>
  application.rows('update integration set status = $2 where id = $1', [id, status]);

test('an owner revises a profile, and reads what each version changed', async () => {
  const integration = await owner.createIntegration();
  const revised = await owner.must<IntegrationData>(
    'reviseProfile',
    revision(integration, 1, { publicName: 'Nordlys', pollingCadenceMinutes: 30 }),
  );
  expect(revised.profile).toMatchObject({ version: 2, publicName: 'Nordlys', pollingCadenceMinutes: 30 });
  await owner.must('reviseProfile', revision(integration, 2, { publicName: 'Nordlys', purpose: 'Another one.' }));

  const first = await owner.must<Versions>('profileVersions', { slug: integration.slug, first: 2 });
  expect(first.pageInfo.hasNextPage).toBe(true);
  expect(first.edges.map(({ node }) => [node.profile.version, node.changes.map(({ field }) => field)])).toEqual([
    [3, ['purpose', 'pollingCadenceMinutes']],
    [2, ['publicName', 'pollingCadenceMinutes']],
  ]);
  const rest = await owner.must<Versions>('profileVersions', { slug: integration.slug, first: 2, after: first.pageInfo.endCursor });
  expect(rest).toMatchObject({ pageInfo: { hasNextPage: false }, edges: [{ node: { profile: { version: 1 }, changes: [] } }] });
  expect(await owner.must<Change[]>('profileDiff', { slug: integration.slug, from: 1, to: 3 })).toEqual([
    { field: 'publicName', label: 'Public name', before: ['Order Board'], after: ['Nordlys'], consentRelevant: true, minor: false },
    {
      field: 'purpose',
      label: 'Purpose',
      before: ['Shows the owner of an order its own progress.'],
      after: ['Another one.'],
      consentRelevant: true,
      minor: false,
    },
  ]);
  expect(codesOf(await owner.call('profileDiff', { slug: integration.slug, from: 1, to: 9 }))).toEqual(['NOT_FOUND']);
});

test('an open page of the release before, which does not know an optional field, leaves it as it is; null clears it', async () => {
  const input = assertInputObjectType(buildSchema(readFileSync('schema.graphql', 'utf8')).getType('ReviseProfileInput'));
  const optional = Object.values(input.getFields()).flatMap(({ name, type }) => (isNonNullType(type) ? [] : [name]));
  const examples = { url: 'https://example.com/kept', email: 'kept@example.com', line: 'Kept', paragraphs: 'Kept' };
  const each = (value: (field: string) => unknown) => Object.fromEntries(optional.map((field) => [field, value(field)]));
  const integration = await owner.createIntegration();
  const changed = async (version: number, changes: Record<string, unknown>) => {
    await owner.must('reviseProfile', revision(integration, version, changes));
    const diff = await owner.must<Change[]>('profileDiff', { slug: integration.slug, from: version, to: version + 1 });
    return diff.map(({ field }) => field).toSorted();
  };
  const filled = each((field) => examples[typedInto(field)?.as ?? 'line']);
  expect(await changed(1, filled)).toEqual(optional.toSorted());
  expect(await changed(2, { ...each(() => undefined), publicDescription: 'Other' })).toEqual(['publicDescription']);
  expect(await changed(3, { ...each(() => null), publicDescription: 'Other' })).toEqual(optional.toSorted());
});

test('two browsers editing one version: the second is told, in words', async () => {
  const integration = await owner.createIntegration();
  await owner.must('reviseProfile', revision(integration, 1, { supportEmail: 'a@example.com' }));
  const answer = await owner.call('reviseProfile', revision(integration, 1, { supportEmail: 'b@example.com' }));
  expect(codesOf(answer)).toEqual(['CONFLICT']);
  expect(answer.errors[0]?.message).toContain('Version 2 of this profile was saved after you opened version 1');
});

test('a country from before the list of ISO 3166-1 stays until another one is chosen, which has to be on it', async () => {
  const integration = await owner.createIntegration();
  await application.rows("update profile_version set country = 'XK' where integration_id = $1", [integration.id]);
  await owner.must('reviseProfile', revision(integration, 1, { country: 'XK', purpose: 'Another purpose.' }));
  const refused = await owner.call('reviseProfile', revision(integration, 2, { country: 'YU' }));
  expect(fieldsOf(refused)['input.country']).toContain('ISO 3166-1');
  await owner.must('reviseProfile', revision(integration, 2, { country: 'RS' }));
});

test('a profile under review is frozen, and an approved one changes in its minor fields alone', async () => {
  const integration = await owner.createIntegration();
  await setStatus(integration, 'submitted');
  const frozen = await owner.call('reviseProfile', revision(integration, 1, { supportEmail: 'a@example.com' }));
  expect([codesOf(frozen), frozen.errors[0]?.message]).toEqual([['CONFLICT'], expect.stringContaining('under review')]);

  await setStatus(integration, 'approved');
  const refused = await owner.call(
    'reviseProfile',
    revision(integration, 1, { publicName: 'X', country: 'NL', requestedScopes: ['vehicles.read'], supportEmail: 'a@example.com' }),
  );
  expect(codesOf(refused)).toEqual(['BAD_USER_INPUT']);
  expect(Object.keys(fieldsOf(refused))).toEqual(['input.publicName', 'input.country', 'input.requestedScopes']);
  const { profileFields } = await owner.must<{ profileFields: Field[] }>(
    'reviseProfile',
    revision(integration, 1, { supportEmail: 'a@example.com' }),
  );
  expect(profileFields.filter(({ revisable }) => revisable).map(({ name }) => name)).toEqual(minorFields);
});

test('reviewers read what was changed after an approval, page by page, but nothing of their own', async () => {
  type Page = {
    pageInfo: { hasNextPage: boolean; endCursor: string };
    edges: { node: { slug: string; status: string; profile: { version: number }; changes: Change[] } }[];
  };
  const before = await owner.createIntegration();
  await owner.must('reviseProfile', revision(before, 1, { publicName: 'Before any approval' }));
  const reviewing = await reviewer(application);
  const integrations = [await owner.createIntegration(), await owner.createIntegration(), await reviewing.createIntegration()];
  for (const [index, integration] of integrations.entries()) {
    await setStatus(integration, 'active');
    await application.rows('update integration set reviewed_profile_version = 1 where id = $1', [integration.id]);
    const client = index === 2 ? reviewing : owner;
    await client.must('reviseProfile', revision(integration, 1, { supportEmail: 'new@example.com' }));
  }
  const first = await reviewing.must<Page>('minorRevisions', { first: 1 });
  expect(first).toMatchObject({
    pageInfo: { hasNextPage: true },
    edges: [
      {
        node: {
          slug: integrations[1]?.slug,
          status: 'active',
          profile: { version: 2 },
          changes: [{ field: 'supportEmail', before: ['help@example.com'], after: ['new@example.com'], minor: true }],
        },
      },
    ],
  });
  const rest = await reviewing.must<Page>('minorRevisions', { after: first.pageInfo.endCursor });
  expect(rest.edges.map(({ node }) => node.slug)).toContain(integrations[0]?.slug);
  expect(rest.edges.map(({ node }) => node.slug)).not.toContain(before.slug);
  expect(rest.edges.map(({ node }) => node.slug)).not.toContain(integrations[2]?.slug);
  const wrong = await reviewing.call('minorRevisions', { first: 0 });
  expect([codesOf(wrong), Object.keys(fieldsOf(wrong))]).toEqual([['BAD_USER_INPUT'], ['first']]);
  expect(Object.keys(fieldsOf(await reviewing.call('minorRevisions', { after: 'AAAA' })))).toEqual(['after']);
});

test('other scopes refill the sandbox with what they need', async () => {
  const sandbox = await SandboxClient.open(application, ['orders.read']);
  const integration = await sandbox.operator.must<IntegrationData>('integration', { slug: sandbox.slug });
  const revised = await sandbox.operator.must<IntegrationData>(
    'reviseProfile',
    revision(integration, 1, { requestedScopes: ['vehicles.read'] }),
  );
  expect(revised.clients[0]).toMatchObject({ scopes: ['vehicles.read'], corpus: { state: 'queued' } });
  await sandbox.build();
  expect(new Set((await sandbox.resources()).map(({ type }) => type))).toEqual(new Set(['vehicle']));
});

test('an owner retires an integration for good: nothing of it can be used or changed, and its slug is never free', async () => {
  const integration = await owner.createIntegration();
  const certificate = await owner.issuedCertificate(integration);
  expect(await owner.must('retireIntegration', { input: { integrationId: integration.id } })).toEqual({
    id: integration.id,
    status: 'retired',
  });
  expect((await owner.certificates(integration.slug)).find(({ id }) => id === certificate.id)).toMatchObject({
    status: 'revoked',
    revocationReason: 'cessation_of_operation',
  });
  expect(codesOf(await owner.call('retireIntegration', { input: { integrationId: integration.id } }))).toEqual(['CONFLICT']);
  expect(codesOf(await owner.call('reviseProfile', revision(integration, 1, { publicName: 'X' })))).toEqual(['CONFLICT']);
  expect(codesOf(await owner.requestCertificate(integration))).toEqual(['CONFLICT']);
  expect(codesOf(await owner.call('regenerateSandboxCorpus', { input: { clientId: integration.clientId } }))).toEqual(['CONFLICT']);
  expect(Object.keys(fieldsOf(await owner.tryCreateIntegration({ slug: integration.slug })))).toEqual(['input.slug']);
});

test('an administrator retires another’s integration with a reason; for other operators it does not exist', async () => {
  const integration = await owner.createIntegration();
  const stranger = await application.operator();
  await stranger.confirmFreshly();
  expect(codesOf(await stranger.call('retireIntegration', { input: { integrationId: integration.id } }))).toEqual(['NOT_FOUND']);
  expect(codesOf(await stranger.call('reviseProfile', revision(integration, 1, { publicName: 'X' })))).toEqual(['NOT_FOUND']);
  for (const operation of ['profileVersions', 'profileDiff'] as const) {
    expect(codesOf(await stranger.call(operation, { slug: integration.slug, from: 1, to: 1 }))).toEqual(['NOT_FOUND']);
  }
  const admin = await administrator(application);
  await admin.confirmFreshly();
  const wordless = await admin.call('retireIntegration', { input: { integrationId: integration.id } });
  expect([codesOf(wordless), Object.keys(fieldsOf(wordless))]).toEqual([['BAD_USER_INPUT'], ['input.reason']]);
  await admin.must('retireIntegration', { input: { integrationId: integration.id, reason: 'Broken promises' } });
  expect((await owner.must<IntegrationData>('integration', { slug: integration.slug })).status).toBe('retired');
});
