import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as parseGraphql, visit } from 'graphql';
import ts from 'typescript';
import { LineCounter, parseDocument, visit as visitYaml } from 'yaml';

/** Something that a person reads, without any code in it. */
export type ShownText = { readonly file: string; readonly line: number; readonly text: string };

const sources = ['portal-web/src', 'server', 'rest-api', 'workers', 'demo'];
const documents = ['README.md', 'docs/operating.md', 'docs/tooling.md', 'docs/statistics.md'];

/** Every text that people see: pages, mails, refusals, terminal, guides and the descriptions of both APIs. */
export async function shownTexts(): Promise<ShownText[]> {
  const folders = ['docs/guides', 'docs/operating'];
  const guides = (await Promise.all(folders.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))))).flat();
  const programs = (await Promise.all(sources.map(filesIn))).flat();
  const texts = await Promise.all([
    ...programs.map(async (file) => textsOfSource(file, await readFile(file, 'utf8'))),
    ...[...documents, ...guides].map(async (file) => textsOfMarkdown(file, await readFile(file, 'utf8'))),
    readFile('rest-api/contract/openapi.yaml', 'utf8').then((text) => textsOfOpenapi('rest-api/contract/openapi.yaml', text)),
    readFile('schema.graphql', 'utf8').then((text) => textsOfSchema('schema.graphql', text)),
  ]);
  return texts.flat().map((each) => ({ ...each, text: withoutCode(each.text) }));
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts')).map((name) => join(folder, name));
}

/** Blanks out inline code, paths and addresses, without moving anything to another line. */
function withoutCode(text: string): string {
  return text.replaceAll(/`[^`]*`|\S*(?:\/|@|\w_\w|[a-z]\.[a-z])\S*/g, (code) => code.replaceAll(/[^\n]/g, ' '));
}

/** The text between tags, and each literal that reads like a sentence, a label or a part of a sentence. */
function textsOfSource(file: string, source: string): ShownText[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const found: ShownText[] = [];
  const keep = (node: ts.Node, text: string) =>
    found.push({ file, line: parsed.getLineAndCharacterOfPosition(node.getStart()).line + 1, text });
  const look = (node: ts.Node): void => {
    if (isForPrograms(node)) return;
    if (ts.isJsxText(node)) keep(node, node.text.trim());
    else if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const text = wordsOf(node);
      if (isForPeople(text)) keep(node, text);
    }
    ts.forEachChild(node, look);
  };
  look(parsed);
  return found.filter(({ text }) => text !== '');
}

/**
 * Labels begin with a capital letter, sentences end with a full stop, and parts of sentences are several words without any sign of code.
 */
function isForPeople(text: string): boolean {
  return /^[A-Z]|\w\.$/.test(text) || /^[\p{L}’'-]+(?:[,;:]? [\p{L}\d’'…-]+){2,}$/u.test(text);
}

/** Imports, types, and documents in another language. */
function isForPrograms(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return !ts.isExpressionWithTypeArguments(node);
  return ts.isTaggedTemplateExpression(node) || (ts.isCallExpression(node) && node.expression.getText() === 'graphql');
}

/** A literal's words, with a gap for each expression in it. */
function wordsOf(node: ts.StringLiteralLike | ts.TemplateExpression): string {
  if (!ts.isTemplateExpression(node)) return node.text;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
}

function textsOfMarkdown(file: string, source: string): ShownText[] {
  let fenced = false;
  return source.split('\n').map((line, index) => {
    const fence = /^\s*```/.test(line);
    if (fence) fenced = !fenced;
    return { file, line: index + 1, text: fence || fenced ? '' : line };
  });
}

function textsOfOpenapi(file: string, source: string): ShownText[] {
  const lines = new LineCounter();
  const found: ShownText[] = [];
  visitYaml(parseDocument(source, { lineCounter: lines }), {
    Pair(_, { key, value }) {
      const { value: name } = key as { value?: unknown };
      const { value: text, range } = value as { value?: unknown; range?: readonly number[] };
      if (typeof text !== 'string' || !['description', 'summary', 'title'].includes(String(name))) return;
      found.push({ file, line: lines.linePos(range?.[0] ?? 0).line, text });
    },
  });
  return found;
}

function textsOfSchema(file: string, source: string): ShownText[] {
  const found: ShownText[] = [];
  visit(parseGraphql(source), {
    enter(node) {
      const description = 'description' in node ? node.description : undefined;
      if (description) found.push({ file, line: description.loc?.startToken.line ?? 0, text: description.value });
    },
  });
  return found;
}
