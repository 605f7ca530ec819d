import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { buildSchema, getNamedType, graphqlSync, isEnumType, isObjectType } from 'graphql';
import { isOlder } from '../../server/database/migration/laterRelease.ts';
import { readMigrations } from '../../server/database/migration/migrations.ts';
import { tellUnknown } from '../../server/portal-api/enumType.ts';
import { recordedReleases, unpackReleaseBefore } from '../support/run/releaseBefore.ts';
import { createRunFolder } from '../support/run/runFolders.ts';

/** Found out for each answer, so that a row of a later release cannot bring another value. */
const computed = [
  'ActPage',
  'AddressSide',
  'AgreementState',
  'AttentionKind',
  'AttentionLevel',
  'AuthorityStatus',
  'FailedJobState',
  'FoundKind',
  'FoundView',
  'IntegrationAction',
  'IntegrationPhase',
  'LinkCodeState',
  'ObstacleKind',
  'PasskeyStorage',
  'QueueTab',
  'QuotaName',
  'ReceiverCheckState',
  'Signal',
  'SignalLevel',
  'SyncRecordKind',
  'TimeForm',
  'TimelineAuthor',
  'TimelineStep',
];

/** Read by the names that this release knows, so that an answer leaves others out. */
const leavesOutOthers = ['EvidenceKind', 'NotificationTopic', 'ReviewedLink', 'ReviewItem', 'SubmissionCheckName', 'SubmissionCheckLevel'];

/** What the release before may not meet: a migration that adds a value names its `minRelease` (docs/adding.md). */
const asksForMinRelease = [
  'AuthorityKind',
  'CorpusState',
  'Environment',
  'HealthLevel',
  'LogoFormat',
  'PayloadMode',
  'ProbeKind',
  'ProbeVerdict',
  'ResourceType',
  'ReviewDraftPart',
  'ReviewRole',
  'RevocationSubject',
  'SessionKind',
  'SuspensionCause',
  'WebhookModel',
];

/** A worker of the release before would send an event of another type without its data, and 1.0.0 does not leave out another link. */
const doneWrong = ['WebhookEventType', 'ReviewedLink'];

const excepted = [...computed, ...leavesOutOthers, ...asksForMinRelease];
const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const told = new Set(
  Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('__')
      ? Object.values(type.getFields())
          .map((field) => getNamedType(field.type))
          .filter(isEnumType)
      : [],
  ),
);
const valuesOf = (type: unknown) => (isEnumType(type) ? type.getValues().map(({ name }) => name) : []);
const namesOf = (values: Iterable<string>) => [...values].toSorted().join(' ');

test('an enum that answers hold tells what only a later release stores as unknown, or says here why it need not', () => {
  const without = [...told].filter((type) => !type.getValue('unknown')).map(({ name }) => name);
  expect(without.toSorted()).toEqual(excepted.toSorted());
});

/** What the columns with a list of values may hold. */
const stored = [...readFileSync('schema.sql', 'utf8').matchAll(/CHECK \(\(?(\w+) = ANY \(ARRAY\[([^\]]*)\]\)/g)].map(
  ([, column = '', values = '']) => ({
    column,
    values: namesOf([...values.matchAll(/'([^']*)'::text/g)].map(([, value = '']) => value)),
  }),
);

test('no column holds what is said to be computed', () => {
  expect(stored.length).toBeGreaterThan(20);
  const held = [...told]
    .filter(({ name }) => computed.includes(name))
    .flatMap((type) => stored.filter(({ values }) => values === namesOf(valuesOf(type))).map(({ column }) => `${type.name}: ${column}`));
  expect(held).toEqual([]);
});

/** GraphQL has no dots in the names of values; columns may. */
const storedAs = (value: string) => new RegExp(`'${value.replaceAll('_', '[._]')}'`);

test('a value that the release before cannot tell comes with a migration that names it, and its minRelease', async () => {
  const folder = await createRunFolder();
  try {
    await unpackReleaseBefore(folder);
    await promisify(execFile)(process.execPath, ['dist/server/portal-api/emitSchema.js'], { cwd: folder });
    const before = buildSchema(await readFile(join(folder, 'schema.graphql'), 'utf8'));
    const last = (await recordedReleases()).at(-1);
    const barring = (await readMigrations()).filter(
      ({ name, minRelease }) =>
        !Object.hasOwn(last?.migrations ?? {}, name) && minRelease !== undefined && last && isOlder(last.version, minRelease),
    );
    // What this release would tell as unknown, the one before may take for something else.
    const neverUnknown = new Set([...computed, ...leavesOutOthers]);
    const mistaken = [...told].filter(({ name }) => !neverUnknown.has(name) && !valuesOf(before.getType(name)).includes('unknown'));
    const untold = [...new Set([...mistaken.map(({ name }) => name), ...doneWrong])].flatMap((name) => {
      const [values, known] = [schema, before].map((of) => valuesOf(of.getType(name)));
      // An enum that is new is told by nothing that the release before reads.
      if (!values || !known?.length) return [];
      return values
        .filter((value) => value !== 'unknown' && !known.includes(value) && !barring.some(({ sql }) => storedAs(value).test(sql)))
        .map((value) => `${name} is to tell ${value}: a migration that names '${value}' needs a minRelease after ${last?.version}`);
    });
    expect(untold).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);

test('unknown is only told: nothing can be asked or set with it', () => {
  const later = buildSchema('enum Status { active unknown } type Query { status(is: Status): Status }');
  tellUnknown(later);
  const ask = (source: string, variableValues = {}) =>
    graphqlSync({ schema: later, source, variableValues, rootValue: { status: ({ is }: { is?: string }) => is ?? 'of_a_later_release' } });
  expect(ask('{ status }').data).toEqual({ status: 'unknown' });
  expect(ask('{ status(is: active) }').data).toEqual({ status: 'active' });
  for (const { errors } of [ask('{ status(is: unknown) }'), ask('query ($is: Status) { status(is: $is) }', { is: 'unknown' })])
    expect(errors?.[0]?.message).toContain('nothing can be asked or set with it');
});
