import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { buildSchema, getNamedType, graphqlSync, isEnumType, isObjectType } from 'graphql';
import { readMigrations } from '../../server/database/migration/migrations.ts';
import { tellUnknown } from '../../server/portal-api/enumType.ts';
import { recordedReleases } from '../support/run/releaseBefore.ts';

/** Found out for each answer, so that a row of a later release cannot bring another value. */
const computed = [
  'ActPage',
  'AddressSide',
  'AgreementState',
  'AttentionKind',
  'AttentionLevel',
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
const leavesOutOthers = ['EvidenceKind', 'NotificationTopic', 'ReviewItem', 'SubmissionCheckName', 'SubmissionCheckLevel'];

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
  'ReviewedLink',
  'ReviewRole',
  'RevocationSubject',
  'SessionKind',
  'SuspensionCause',
  'WebhookModel',
];

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
    .flatMap((type) =>
      stored
        .filter(({ values }) => values === namesOf(type.getValues().map(({ name }) => name)))
        .map(({ column }) => `${type.name}: ${column}`),
    );
  expect(held).toEqual([]);
});

test('a value that the release before cannot tell comes with a migration that names its minRelease', async () => {
  const released = (await recordedReleases()).at(-1)?.migrations ?? {};
  const migrations = await readMigrations();
  const checks = migrations
    .filter(({ name }) => Object.hasOwn(released, name))
    .flatMap(({ sql }) => [...sql.matchAll(/\((\w+) in \(([^)]*)\)\)/g)].map(([, column = '', values = '']) => ({ column, values })));
  const barring = migrations.filter(({ name, minRelease }) => !Object.hasOwn(released, name) && minRelease !== undefined);
  const untold = [...told]
    .filter(({ name }) => asksForMinRelease.includes(name))
    .flatMap((type) => {
      const values = type.getValues().map(({ name }) => name);
      const columns = stored.filter((each) => each.values === namesOf(values)).map(({ column }) => column);
      return columns.flatMap((column) =>
        values
          .filter((value) => !checks.some((check) => check.column === column && check.values.includes(`'${value}'`)))
          .filter((value) => !barring.some(({ sql }) => sql.includes(`'${value}'`)))
          .map((value) => `${type.name} is to tell ${value} of ${column}: the migration that allows it needs a minRelease`),
      );
    });
  expect([...new Set(untold)]).toEqual([]);
});

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
