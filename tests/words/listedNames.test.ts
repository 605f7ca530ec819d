import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { tabWords } from '../../portal-web/src/features/integration/tabWords.ts';
import { usage } from '../../server/adminCommands.ts';
import { allServicePermissions } from '../../server/domain/access/servicePermissions.ts';
import { webhookEventTypes } from '../../server/domain/outbox/eventTypes.ts';
import { integrationFacts } from '../../server/domain/integration/integrationFacts.ts';
import { integrationStatuses } from '../../server/domain/integration/integrationStatus.ts';
import { idPrefixes } from '../../server/domain/shared/ids.ts';

const read = (file: string) => readFileSync(file, 'utf8');
/** Part of a document, from this heading to the next one. */
const section = (text: string, heading: string) => text.split(`${heading}\n`)[1]?.split(/\n#+ /)[0] ?? '';
const specification = read('docs/specification.md');
const eventTypes = webhookEventTypes.map((type) => `\`${type}\``);

/** What each document lists, and where the code has it. */
const lists: readonly (readonly [string, readonly string[], string])[] = [
  ['the specification’s “Identifiers”', idPrefixes.map((prefix) => `\`${prefix}_\``), section(specification, '### Identifiers')],
  ['the specification’s “Events”', eventTypes, section(specification, '### Events')],
  ['the specification’s “Envelope”', eventTypes, section(specification, '### Envelope')],
  ['docs/guides/webhooks.md', eventTypes, section(read('docs/guides/webhooks.md'), '## What arrives')],
  ...[
    'docs/receivers/typescript/receiver.ts',
    'kit/samples/go/receiver.go',
    'kit/samples/python/receiver.py',
    'kit/samples/java/Operator.java',
    'kit/samples/curl/operator.sh',
  ].map((file) => [file, webhookEventTypes, read(file)] as const),
  ['demo/webhooks.ts', webhookEventTypes.map((type) => type.replace('.', '_')), read('demo/webhooks.ts')],
  ['docs/tooling.md', allServicePermissions.map((permission) => `\`${permission}\``), read('docs/tooling.md')],
  [
    'docs/operating/administration.md',
    [...usage.matchAll(/^ {2}([a-z]+(?:-[a-z]+)*)/gm)].map(([, command = '']) => command),
    read('docs/operating/administration.md'),
  ],
  [
    'docs/operating.md',
    [...read('.env.example').matchAll(/^# ([A-Z_]+)=/gm)].map(([, name = '']) => name).filter((name) => !/_PREVIOUS|_FILE$/.test(name)),
    read('docs/operating.md'),
  ],
  [
    'docs/guides/production.md',
    integrationStatuses.map((status) => `| ${integrationFacts[status].word} |`),
    section(read('docs/guides/production.md'), '## The steps'),
  ],
  ['docs/ARCHITECTURE.md', readdirSync('server/domain'), read('docs/ARCHITECTURE.md')],
];

test.each(lists)('%s names everything of its kind', (where, names, text) => {
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !text.includes(name)).map((name) => `${where} has to name ${name}`)).toEqual([]);
});

test('every page of an integration that a document names is one of its tabs', () => {
  const documents = [
    'README.md',
    ...['docs/guides', 'docs/operating'].flatMap((folder) => readdirSync(folder).map((file) => `${folder}/${file}`)),
  ];
  const texts = documents.filter((file) => file.endsWith('.md')).map(read);
  const named = texts.flatMap((text) =>
    [...text.matchAll(/\bpage \*\*([^*]+)\*\*|\*\*([^*]+)\*\* page\b/g)].map(([, after, before]) => after ?? before),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !Object.values<string | undefined>(tabWords).includes(name))).toEqual([]);
});
