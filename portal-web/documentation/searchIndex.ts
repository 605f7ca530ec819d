import MiniSearch from 'minisearch';
import { errorCatalogue } from '../../server/domain/shared/errorCatalogue.ts';
import { problemTexts } from '../../server/portal-http/pages/problemTexts.ts';
import { indexOptions, type SearchEntry } from '../src/features/docs-search/searchOptions.ts';
import { anchorOf, type MarkdownNode, parseMarkdown, textOf } from '../src/features/markdown/parseMarkdown.ts';
import type { EventReference, OperationReference } from './model.ts';
import type { FieldRow } from '../src/features/reference/referenceTypes.ts';
import type { Documentation, DocumentPage } from './readDocumentation.ts';

/** The index of the search over guides, reference and problems, as MiniSearch writes it. */
export function searchIndexOf(documentation: Documentation): object {
  const index = new MiniSearch<SearchEntry>(indexOptions);
  index.addAll(entriesOf(documentation).map((entry, id) => ({ ...entry, id })));
  return index.toJSON();
}

type Entry = Omit<SearchEntry, 'id'>;

function entriesOf({ pages, operations, events }: Documentation): Entry[] {
  const prose = pages.filter(({ kind }) => kind === 'guide' || kind === 'overview');
  return [...prose.flatMap(sectionsOf), ...operations.map(operationEntry), ...events.map(eventEntry), ...problemEntries()];
}

/** What lists and names rather than explains. */
const asides = new Set(['/docs/glossary', '/docs/changelog', '/docs/reference']);

/** A guide's sections, each with its heading; the first one is the page. */
function sectionsOf({ path, title, lead, markdown }: DocumentPage): Entry[] {
  const sections: { heading: readonly MarkdownNode[] | null; nodes: MarkdownNode[] }[] = [{ heading: null, nodes: [] }];
  for (const node of parseMarkdown(markdown)) {
    if (node.kind === 'element' && /^h[2-6]$/.test(node.tag)) sections.push({ heading: node.children, nodes: [] });
    else if (!(node.kind === 'element' && node.tag === 'h1')) sections.at(-1)?.nodes.push(node);
  }
  return sections.map(({ heading, nodes }) => ({
    kind: asides.has(path) ? 'aside' : 'guide',
    keys: [],
    page: title,
    title: heading ? textOf(heading) : title,
    path: heading ? `${path}#${anchorOf(heading)}` : path,
    names: nodes.map(codeOf).join(' '),
    lead: heading ? '' : lead,
    text: nodes.map(wordsOf).join(' '),
    snippet: snippetOf(heading ? firstParagraph(nodes) : lead),
  }));
}

function firstParagraph(nodes: readonly MarkdownNode[]): string {
  const paragraph = nodes.find((node) => node.kind === 'element' && node.tag === 'p');
  return paragraph ? textOf([paragraph]) : '';
}

/** The first sentence, or as much of it as fits into a line of the palette. */
function snippetOf(text: string): string {
  const [sentence = ''] = /^.*?(?:[.?](?=\s|$)|:$|$)/s.exec(text.replaceAll(/\s+/g, ' ').trim()) ?? [];
  return sentence.length <= longestSnippet ? sentence : `${sentence.slice(0, longestSnippet).replace(/[\s,:;(]+\S*$/, '')}…`;
}

const longestSnippet = 100;

/** The words of a part of a document. Cells and items are words of their own, unlike parts of one paragraph. */
function wordsOf(node: MarkdownNode): string {
  if ('text' in node) return node.text;
  if (!('children' in node)) return '';
  const apart = node.kind === 'element' && /^(table|thead|tbody|tr|ul|ol)$/.test(node.tag);
  return node.children.map(wordsOf).join(apart ? ' ' : '');
}

/** What stands in code: headers, parameters, codes. */
function codeOf(node: MarkdownNode): string {
  if (node.kind === 'code') return node.text;
  return 'children' in node ? node.children.map(codeOf).filter(Boolean).join(' ') : '';
}

function operationEntry({ name, method, path, summary, words, parameters, body, answers }: OperationReference): Entry {
  const fields = [
    ...parameters,
    ...(body?.fields ?? []),
    ...answers.flatMap(({ headers, content }) => [...headers, ...(content?.fields ?? [])]),
  ];
  return {
    kind: 'operation',
    keys: [name, path, path.replace('/v1', '')],
    page: 'API reference',
    title: summary,
    path: `/docs/reference/${name}`,
    names: [name, `${method} ${path}`, ...parameters.map((each) => each.name)].join(' '),
    lead: `${summary} ${name}`,
    text: `${words} ${rowsWords(fields)}`,
    snippet: snippetOf(words),
  };
}

function eventEntry({ type, summary, headers, forms }: EventReference): Entry {
  const fields = [...headers, ...forms.flatMap((form) => form.fields)];
  return {
    kind: 'event',
    keys: [type],
    page: 'Webhook events',
    title: type,
    path: `/docs/reference/events/${type}`,
    names: type,
    lead: summary,
    text: rowsWords(fields),
    snippet: snippetOf(summary),
  };
}

function rowsWords(rows: readonly FieldRow[]): string {
  return rows.map(({ name, words }) => `${name} ${words}`).join(' ');
}

function problemEntries(): Entry[] {
  return Object.entries(errorCatalogue).flatMap(([code, row]) => {
    if ('portalOnly' in row) return [];
    const { meaning, steps } = problemTexts[code as keyof typeof problemTexts];
    return [
      {
        kind: 'problem' as const,
        keys: [code],
        page: 'Problems',
        title: `${row.status} ${row.title}`,
        path: `/problems/${code}`,
        names: code,
        lead: row.advice,
        text: [meaning, ...steps].join(' '),
        snippet: snippetOf(row.advice),
      },
    ];
  });
}
