import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EntityName } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { functionsRevision } from '../../server/database/migration/functions.ts';
import { functions as callable } from '../../server/database/roles/grants.ts';
import { healthLevels } from '../../server/domain/attention/findings/findingTypes.ts';
import { certificateLimits } from '../../server/domain/certificate/certificateLimits.ts';
import { commonNameOf, commonNameSql } from '../../server/domain/client/commonName.ts';
import { overridableQuotas } from '../../server/domain/client/quotas.ts';
import { logoLimits } from '../../server/domain/logo/image/logoLimits.ts';
import type { Actor } from '../../server/domain/shared/actor.ts';
import { environments } from '../../server/domain/shared/environment.ts';
import { hasIdForm, idPrefixes, newId } from '../../server/domain/shared/ids.ts';
import { day, limits } from '../../server/domain/shared/limits.ts';
import { allScopes, readScopes, readScopeSql, scopeBits, scopeBitsSql } from '../../server/domain/shared/scopes.ts';
import { interval } from '../../server/domain/shared/functions/sqlText.ts';
import { revocationSubjects } from '../../server/domain/sharing/deletion/ownRevocations.ts';
import { sections } from '../../server/domain/tracking/allowlist.ts';
import { usageLimits } from '../../server/domain/usage/usageLimits.ts';
import type { ChartedOutcome } from '../../server/domain/webhook/delivery/attemptChart.ts';
import { payloadModes } from '../../server/domain/webhook/endpoint/WebhookEndpoint.ts';
import { webhookEventTypes } from '../../server/domain/outbox/eventTypes.ts';
import { webhookLimits } from '../../server/domain/outbox/webhookLimits.ts';
import { lifecycles } from '../domain/lifecycles/statusWrites.ts';
import { openWorld } from '../support/world/openWorld.ts';
import type { World } from '../support/world/World.ts';

/*
 * Rules that the code and the database both keep: where each of them is written, and that it is written nowhere else. What a check of a column
 * has to repeat is compared with the code's constant.
 */

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const sources = new Map(
  ['server', 'rest-api', 'workers', 'migrations']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => /\.(ts|sql)$/.test(file))
    .map((file) => [file, readFileSync(file, 'utf8')]),
);

const domain = (file: string) => `server/domain/${file}`;
const storeReplays = domain('webhook/replay/storeReplays.ts');
const sendTestEvent = domain('webhook/trial/sendTestEvent.ts');
const corpus = domain('sandbox/corpus/corpus.sql.ts');

/** Each rule with what is written of it, in its one owner, and in what does something else and looks alike. */
const rules: readonly { readonly rule: string; readonly written: RegExp; readonly owner: string; readonly besides?: readonly string[] }[] =
  [
    // A test event goes to one endpoint, and a replay has its event already.
    {
      rule: 'which events are stored, with which deliveries',
      written: /insert into webhook_(event|delivery)\b/,
      owner: domain('outbox/storeEvents.function.ts'),
      besides: [storeReplays, sendTestEvent],
    },
    {
      rule: 'when an event expires',
      written: /lifetime: '(updateE|e)ventLifetime'|webhookLimits\.(updateE|e)ventLifetime/,
      owner: domain('outbox/eventTypeFacts.ts'),
    },
    {
      rule: 'what goes with its subject',
      written: /in \('resource\.granted'|!== 'resource\.granted'|about: 'resource'/,
      owner: domain('outbox/eventTypeFacts.ts'),
    },
    {
      rule: 'which generation of statistics is the latest',
      written: /order by (\w+\.)?published_at desc/,
      owner: domain('statistics/latestGeneration.sql.ts'),
    },
    {
      rule: 'which authority issues, waits or was replaced',
      written: /'issuing'[^\n]* and [^\n]*retired_at/,
      owner: domain('certificate/authorityStatus.ts'),
    },
    { rule: 'how the pump is notified', written: /pg_notify\('\$|7900/, owner: domain('outbox/notifyPump.ts') },
    { rule: 'a line of the audit trail', written: /insert into audit_entry\b/, owner: domain('audit/recordAudit.function.ts') },
    { rule: 'a mail with its job', written: /insert into mail\b|'sendMail'\)/, owner: domain('notification/queueMail.function.ts') },
    { rule: 'evidence', written: /insert into review_evidence\b/, owner: domain('evidence/countEvidence.function.ts') },
    {
      rule: 'a certificate, its slot and its name',
      written: /insert into certificate\b|'YYYY-MM'\)/,
      owner: domain('certificate/request/placeCertificate.function.ts'),
    },
    {
      rule: 'from when on a certificate is renewed',
      written: /certificateRenewableFrom;/,
      owner: domain('certificate/renewal/requestRenewal.function.ts'),
    },
    // Three statements take as many as they find rows themselves.
    {
      rule: 'positions of a feed',
      written: /returning f?\.?head - /,
      owner: domain('feed/takePositions.function.ts'),
      besides: [
        domain('sharing/consent/changeConsent.ts'),
        domain('sharing/revocation/revokeConnections.ts'),
        domain('sharing/revocation/revokeResources.ts'),
      ],
    },
    {
      rule: 'a share',
      written: /insert into shared_resource\b/,
      owner: domain('sharing/shareResources.function.ts'),
      besides: [corpus],
    },
    {
      rule: 'a connection',
      written: /insert into connection\b/,
      owner: domain('sharing/link-code/redeemLinkCode.function.ts'),
      besides: [corpus],
    },
    {
      rule: 'a choice about statistics in connections',
      written: /update connection set statistics_opted_in/,
      owner: domain('sharing/consent/setParticipation.function.ts'),
    },
    { rule: 'what sharing knows of a client', written: /as "grantableScopes"/, owner: domain('sharing/sharingClient.sql.ts') },
    { rule: 'what ends by itself', written: /portal_session: \{ column/, owner: domain('retention/endedCredentials.function.ts') },
    { rule: 'the characters of an id', written: /0123456789abcdefghjkmn/, owner: domain('shared/ids.ts') },
    { rule: 'the common name of a client', written: /['`]svc:/, owner: domain('client/commonName.ts') },
    { rule: 'the scope of a type', written: /then 'orders\.read'|order: 'orders\.read'/, owner: domain('shared/scopes.ts') },
    { rule: 'the scopes and their order', written: /'orders\.history\.read': 'The/, owner: domain('shared/scopes.ts') },
  ];

test.each(rules)('$rule is written once', ({ written, owner, besides = [] }) => {
  const places = [...sources].filter(([, text]) => written.test(text)).map(([file]) => file);
  expect(places.sort()).toEqual([owner, ...besides].sort());
});

/** Numbers that only the function itself has, apart from zero and one. Everything else comes from a constant. */
const ownNumbers: Readonly<Record<string, readonly string[]>> = {
  'audit/recordAudit.function.ts': ['100'],
  'evidence/countEvidence.function.ts': ['2', '100000'],
  'shared/functions/ids.function.ts': ['26'],
  'sharing/link-code/redeemLinkCode.function.ts': ['32'],
  'usage/requestLog.function.ts': ['8', '500'],
};

test('functions of the database have no number that a constant of the code has', () => {
  const found = [...sources].flatMap(([file, text]): [string, string[]][] => {
    if (!file.endsWith('.function.ts')) return [];
    const bodies = [...text.matchAll(/`\ncreate or replace function[^]*?;`/g)].map(([body]) => body.replaceAll(/--.*$/gm, ''));
    const numbers = bodies.flatMap((body) => [...withoutPlaceholders(body).matchAll(/(?<![\w$])\d+/g)].map(([number]) => number));
    const own = [...new Set(numbers)].filter((number) => !/^([01]|42501)$/.test(number));
    return own.length === 0 ? [] : [[file.replace('server/domain/', ''), own.sort()]];
  });
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(Object.entries(ownNumbers).map(([file, own]) => [file, [...own].sort()])));
});

function withoutPlaceholders(text: string): string {
  let depth = 0;
  let rest = '';
  for (let at = 0; at < text.length; at += 1) {
    if (text.startsWith('${', at)) depth += 1;
    if (depth === 0) rest += text[at];
    else if (text[at] === '}') depth -= 1;
  }
  return rest;
}

/** Those that no constant of the code is in. Whatever else is in the database is made from constants. */
const ofMigrations = [
  'copy_overrides',
  'folded',
  'keep_unknown_columns',
  'live_leases',
  'make_partitions',
  'make_partitions_of',
  'near_moment',
  'refuse_all_but_forgetting_ip',
  'refuse_change',
  'refuse_late',
  'refuse_taking_back',
  'release_leases_v2',
  'svc_job_subjects',
  'take_from_redeem_source',
];

test('every function of the database is either of a migration or made from the code’s constants', async () => {
  expect(functionsRevision).toMatch(/^functions\/[0-9a-f]{16}$/);
  const own = await world.rows<{ name: string }>(
    `select p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`,
  );
  const made = [...sources.values()].flatMap((text) => [...text.matchAll(/create or replace function (\w+)\(/g)].map(([, name]) => name!));
  expect(own.map(({ name }) => name).sort()).toEqual([...ofMigrations, ...made].sort());
});

test('what the machine API may call either runs with the owner’s rights and judges, or writes only what this process may write', async () => {
  const judging = await world.rows<{ name: string }>(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef and proconfig::text like '%search_path%'`,
  );
  const called = Object.entries(callable).flatMap(([signature, roles]) => (roles.includes('machine_api') ? [signature.split('(')[0]] : []));
  expect(called.filter((name) => judging.every((each) => each.name !== name)).sort()).toEqual([
    'is_recent',
    'live_leases',
    'refuse_late',
    'release_leases_v2',
    'take_from_redeem_source',
  ]);
});

const slots = (most: number) => Array.from({ length: most }, (_, index) => index + 1);
const actorTypes = Object.keys({
  anonymous: true,
  operator: true,
  service_token: true,
  client: true,
  system: true,
} satisfies Readonly<Record<Actor['type'], true>>);
const outcomes = Object.keys({ delivered: true, retried: true, dead: true } satisfies Readonly<Record<ChartedOutcome, true>>);
const resourceTypes = Object.keys(readScopes);

/** The words that a column takes, where no mapped entity and no lifecycle has them. */
const words: Readonly<Record<string, readonly string[]>> = {
  'audit_entry.actor_type': actorTypes,
  'integration.health': healthLevels,
  'link_code.environment': environments,
  'quota_override.quota': overridableQuotas,
  'revocation.subject_type': revocationSubjects,
  'shared_resource.type': resourceTypes,
  'tracked_change.section': sections,
  'tracked_resource.environment': environments,
  'tracked_resource.type': resourceTypes,
  'webhook_attempt_hour.outcome': outcomes,
  'webhook_event.resource_type': resourceTypes,
  'webhook_event.type': webhookEventTypes,
  'webhook_attempt.payload_mode': payloadModes,
  ...Object.fromEntries(lifecycles.map(({ table, told, states }) => [`${table}.${told[0]}`, states])),
};

/** The numbers that a check repeats. Others are nobody's limit. */
const numbers: Readonly<Record<string, string>> = {
  account_reset_check3: `due_at >= (approved_at + ${printed(limits.accountResetWait)})`,
  certificate_slot_check: `slot = ANY (ARRAY[${slots(certificateLimits.certificatesPerClient).join(', ')}])`,
  webhook_endpoint_slot_check: `slot >= 1 AND slot <= ${webhookLimits.webhookEndpoints}`,
  logo_width_check: `width >= ${logoLimits.logoSideMin} AND width <= ${logoLimits.logoSideMax}`,
  logo_height_check: `height >= ${logoLimits.logoSideMin} AND height <= ${logoLimits.logoSideMax}`,
  tracked_resource_check: `octet_length(core) + COALESCE(octet_length(shipping), 0)) <= ${limits.snapshotBytes}`,
};

function printed(milliseconds: number): string {
  return `'${milliseconds / 3_600_000}:00:00'::interval`;
}

const checksSql = `
select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid, true) as text from pg_constraint k join pg_class c on c.oid = k.conrelid
 where k.contype = 'c' and k.connamespace = 'public'::regnamespace and not c.relispartition`;

test('the checks of columns (migrations) know the words of the code and no others', async () => {
  const metadata = world.orm.getMetadata();
  const mapped = world.orm.config.get('entities').flatMap((entity) => {
    const { tableName, props } = metadata.get(entity as EntityName<object>);
    return props.flatMap(({ enum: isEnum, items, fieldNames }) =>
      isEnum === true && items !== undefined ? [[`${tableName}.${fieldNames[0]}`, items.map(String)] as const] : [],
    );
  });
  const known = new Map<string, readonly string[]>([...mapped, ...Object.entries(words)]);
  const checks = await world.rows<{ table: string; text: string }>(checksSql);
  const found = checks.flatMap(({ table, text }) => {
    const [, column, list] = /^CHECK \((\w+) = ANY \(ARRAY\[('.*)\]\)\)$/.exec(text) ?? [];
    return list === undefined ? [] : [[`${table}.${column}`, [...list.matchAll(/'(\w[\w.]*)'/g)].map(([, each]) => each!).sort()] as const];
  });
  expect(found.length).toBeGreaterThan(30);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(found.map(([place]) => [place, [...(known.get(place) ?? [])].sort()])));
});

test('the checks of columns (migrations) have the numbers of the code and no others', async () => {
  const checks = await world.rows<{ table: string; name: string; text: string }>(checksSql);
  const found = checks.filter(
    ({ name, text }) => name in numbers || (/(?<![\w\\{])[1-9]/.test(text) && !/^CHECK \(\w+ = ANY \(ARRAY\['/.test(text)),
  );
  expect(found.map(({ name }) => name).sort()).toEqual(Object.keys(numbers).sort());
  const complaints = found
    .filter(({ name, text }) => !text.includes(numbers[name] ?? ''))
    .map(({ table, name, text }) => {
      const file = globSync('migrations/**/*.sql').find((each) => readFileSync(each, 'utf8').includes(`create table ${table} (`));
      return `the check ${name} of ${table} (${file}) has to say ${numbers[name]}. It says: ${text}`;
    });
  expect(complaints).toEqual([]);
});

test.each(idPrefixes)('an id %s_… of the database has the form of one of the code', async (prefix) => {
  const made = await world.rows<{ id: string }>('select new_id($1) as id from generate_series(1, 50)', [prefix]);
  const ids = [...made.map(({ id }) => id), ...Array.from({ length: 50 }, () => newId(prefix))];
  expect(ids.filter((id) => !hasIdForm(prefix, id) || !/[048cgmrw]$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(100);
});

test('every place of an id takes every character, so nothing of it can be foreseen', async () => {
  const made = await world.rows<{ id: string }>("select new_id('evt') as id from generate_series(1, 2000)");
  const taken = Array.from({ length: 26 }, (_, place) => new Set(made.map(({ id }) => id[place + 4])).size);
  expect(taken).toEqual([...Array.from({ length: 25 }, () => 32), 8]);
});

test('the database names clients, reads scopes and measures time as the code does', async () => {
  const subsets = Array.from({ length: 1 << allScopes.length }, (_, bits) => allScopes.filter((_scope, place) => bits & (1 << place)));
  const bits = await world.rows<{ bits: number }>(
    `select ${scopeBitsSql("coalesce(string_to_array(nullif(t, ''), ' '), '{}')")} as bits from unnest($1::text[]) with ordinality u(t, n) order by n`,
    [subsets.map((subset) => subset.join(' '))],
  );
  expect(bits.map((row) => row.bits)).toEqual(subsets.map((subset) => scopeBits(...subset)));
  for (const [type, scope] of Object.entries(readScopes)) {
    expect(await world.rows(`select ${readScopeSql('$1::text')} as scope`, [type])).toEqual([{ scope }]);
  }
  const client = { environment: 'sandbox', id: newId('cli') } as const;
  const named = commonNameSql({ environment: '$1::text', id: '$2::text' });
  expect(await world.rows(`select ${named} as name`, [client.environment, client.id])).toEqual([{ name: commonNameOf(client) }]);
  const spans = [limits.failedAttemptsPerCode, 1_500, usageLimits.requestLogKept, 90 * day];
  for (const span of spans) {
    expect(await world.rows(`select (extract(epoch from ${interval(span)}) * 1000)::float8 as span`)).toEqual([{ span }]);
  }
});
