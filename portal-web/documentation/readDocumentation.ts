import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCatalogue, type ErrorCode } from '../../server/domain/shared/errorCatalogue.ts';
import { guides } from '../src/features/docs/guides.ts';
import { placeholders } from '../src/features/reference/fillSample.ts';
import type { ProblemDocument, ReferenceIndex, ReferencePage, SlotValues } from '../src/features/reference/referenceTypes.ts';
import { paths } from '../src/paths.ts';
import { type Contract, readContract } from './contract.ts';
import { eventsOf } from './events.ts';
import { eventMarkdown, operationMarkdown, problemsTable, samplesMarkdown, tableOf } from './markdown.ts';
import type { EventReference, OperationReference, ProblemRow } from './model.ts';
import { operationsOf } from './operations.ts';
import { problemPages } from './problems.ts';
import { eventSections, operationSections } from './sections.ts';

/** A page of the documentation, complete as Markdown: its twin for programs, and what its HTML is made from. */
export type DocumentPage = {
  readonly path: string;
  readonly kind: 'home' | 'overview' | 'guide' | 'operation' | 'event' | 'problems' | 'problem';
  readonly title: string;
  readonly lead: string;
  readonly markdown: string;
};

export type Documentation = {
  readonly index: ReferenceIndex;
  /** The pages of the reference as the portal shows them, by name or type. */
  readonly reference: Readonly<Record<string, ReferencePage>>;
  /** The pages of problems, by code. */
  readonly problems: Readonly<Record<string, ProblemDocument>>;
  readonly pages: readonly DocumentPage[];
  readonly operations: readonly OperationReference[];
  readonly events: readonly EventReference[];
};

/** Reads guides and descriptions from the repository at `root` and makes every page of the documentation. */
export async function readDocumentation(root: string): Promise<Documentation> {
  const contract = withOwnAddresses(await readContract(root));
  const operations = Object.values(operationsOf(contract, (code) => errorCatalogue[code as ErrorCode].advice));
  const events = Object.values(eventsOf(contract));
  const names = {
    operations: operations.map(({ name, summary, method, path: at }) => ({ name, summary, method, path: at })),
    events: events.map(({ type, summary }) => ({ type, summary })),
  };
  const everywhere = problemsOfEveryCall(operations);
  const overview = overviewMarkdown(contract, names, everywhere);
  const isOwn = ({ code }: ProblemRow) => everywhere.every((each) => each.code !== code);
  const whole = { parts: [{ heading: null, words: overview, anchors: '', rows: [] }], example: '' };
  const reference: Record<string, ReferencePage> = { overview: { sections: [whole], samples: null } };
  for (const each of operations) reference[each.name] = { sections: operationSections(each, isOwn), samples: each.samples };
  for (const each of events) reference[each.type] = { sections: eventSections(each), samples: null };
  const { version } = JSON.parse(await readFile(path.join(root, 'kit/package.json'), 'utf8')) as { version: string };
  const guidePages = await Promise.all(guides.map((guide) => guidePage(root, guide, version)));
  const explaining = guidePages.filter((page) => !/\/(errors|changelog|glossary)$/.test(page.path));
  const problems = problemPages(contract, explaining);
  const pages: DocumentPage[] = [
    { path: '/docs', kind: 'home', title: 'Documentation', lead: homeLead, markdown: homeMarkdown() },
    ...guidePages,
    {
      path: '/docs/reference',
      kind: 'overview',
      title: overviewTitle,
      lead: overviewLead,
      markdown: `# ${overviewTitle}\n\n${overview}\n`,
    },
    ...operations.map((each): DocumentPage => {
      const markdown = `# ${each.summary}\n\n${operationMarkdown(each, isOwn)}\n\n${samplesMarkdown(each.samples, unknownValues(version))}\n`;
      return {
        path: `/docs/reference/${each.name}`,
        kind: 'operation',
        title: each.summary,
        lead: `${each.method} ${each.path}`,
        markdown,
      };
    }),
    ...events.map((each): DocumentPage => {
      const markdown = `# ${each.type}\n\n${eventMarkdown(each)}\n`;
      return { path: `/docs/reference/events/${each.type}`, kind: 'event', title: each.type, lead: each.summary, markdown };
    }),
    {
      path: '/problems',
      kind: 'problems',
      title: 'Problems',
      lead: problemsLead,
      markdown: `# Problems\n\n${problemsLead}\n\n${problemCodes()}\n`,
    },
    ...Object.entries(problems).map(([code, { title, lead, markdown }]): DocumentPage => {
      return { path: `/problems/${code}`, kind: 'problem', title, lead, markdown: `# ${title}\n\n${lead}\n\n${markdown}\n` };
    }),
  ];
  return { index: names, reference, problems, pages, operations, events };
}

const homeLead = 'For developers who write the back end. Every command is ready to paste.';

function homeMarkdown(): string {
  const list = guides.map(({ name, title, lead }) => `- [${title}](/docs/${name}): ${lead}`);
  return `# Documentation\n\n${homeLead}\n\n## Guides\n\n${list.join('\n')}\n\n## ${overviewTitle}\n\n[${overviewLead}](/docs/reference)\n`;
}

const problemsLead = 'Every code of the machine API, and what to do about it.';
const overviewTitle = 'API reference';
const overviewLead = 'Every operation of the machine API and every event of webhooks.';

/** Programs get the placeholders that people get who are not signed in; the portal fills in its own addresses. */
function unknownValues(kitVersion: string): SlotValues {
  const kitUrl = `{portal_url}${paths.kit(kitVersion)}`;
  return { ...placeholders({ machineApiUrl: 'https://machine.example/v1', kitUrl }), origin: '{machine_origin}', host: '{machine_host}' };
}

async function guidePage(root: string, { name, title, lead }: (typeof guides)[number], kitVersion: string): Promise<DocumentPage> {
  const source = await readFile(path.join(root, 'docs/guides', `${name}.md`), 'utf8');
  const markdown = source.replace('<!-- problem-codes -->', problemCodes()).replaceAll('{kit_version}', kitVersion);
  return { path: `/docs/${name}`, kind: 'guide', title, lead, markdown };
}

/** The list that the page reads from the service. */
function problemCodes(): string {
  const rows = Object.entries(errorCatalogue).filter(([, each]) => !('portalOnly' in each));
  return problemsTable(rows.map(([code, { status, title, advice }]) => ({ code, status: String(status), title, advice })));
}

/** What every operation answers needs to be said once. */
function problemsOfEveryCall([first, ...others]: readonly OperationReference[]): ProblemRow[] {
  return (first?.problems ?? []).filter(({ code }) => others.every(({ problems }) => problems.some((each) => each.code === code)));
}

function overviewMarkdown({ openApi }: Contract, { operations, events }: ReferenceIndex, everywhere: readonly ProblemRow[]): string {
  return [
    '## Operations',
    tableOf(
      ['Call', 'What it does'],
      operations.map(({ name, method, path: at, summary }) => [`[\`${method} ${at}\`](/docs/reference/${name})`, summary]),
    ),
    '## Events',
    tableOf(
      ['Event', 'When it is sent'],
      events.map(({ type, summary }) => [`[\`${type}\`](/docs/reference/events/${type})`, summary]),
    ),
    'The descriptions behind these pages, for your tools: [OpenAPI as JSON](/openapi.json), [as YAML](/openapi.yaml); [AsyncAPI as JSON](/asyncapi.json), [as YAML](/asyncapi.yaml).',
    openApi.info.description.trim(),
    '## Problems of every call',
    problemsTable(everywhere),
  ].join('\n\n');
}

/** The addresses in the descriptions are examples; pages have placeholders that this service's own addresses replace. */
function withOwnAddresses(contract: Contract): Contract {
  const replaced = <T extends object>(document: T): T =>
    JSON.parse(JSON.stringify(document).replaceAll('https://portal.example', '{portal_url}')) as T;
  return { ...contract, openApi: replaced(contract.openApi), asyncApi: replaced(contract.asyncApi) };
}
