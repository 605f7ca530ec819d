import path from 'node:path';
import type ts from 'typescript';
import { statementCalls } from './calls.ts';
import { disagreements } from './compare.ts';
import type { Database, Description } from './database.ts';
import { decoder } from './decoding.ts';
import { filled, unreadable } from './exceptions.ts';
import { textsOf } from './texts.ts';

export type Checked = { readonly calls: number; readonly statements: number; readonly rows: number; readonly faults: readonly string[] };

type Check = {
  readonly program: ts.Program;
  readonly files: readonly ts.SourceFile[];
  readonly root: string;
  readonly database: Database;
};

/** Describes each statement of some files to PostgreSQL, and compares what it answers with what the call says. */
export async function checkStatements({ program, files, root, database }: Check): Promise<Checked> {
  const calls = statementCalls(program, files, root);
  const decode = decoder(database.types);
  const descriptions = new Map<string, Description | string>();
  const faults: string[] = [];
  const used = new Set<string>();
  const unread = new Map<string, string[]>();
  for (const call of calls) {
    const file = path.relative(root, call.file);
    const texts = await textsOf(call.text).catch((error: unknown) => (error as Error).message);
    if (typeof texts === 'string') {
      unread.set(file, [...(unread.get(file) ?? []), `${file}:${call.line}: its text cannot be told: ${texts}`]);
      continue;
    }
    const found = new Set<string>();
    for (const text of texts) {
      const description = descriptions.get(text) ?? (await database.describe(text).catch((error: unknown) => (error as Error).message));
      descriptions.set(text, description);
      if (typeof description === 'string') found.add(description);
      else for (const fault of disagreements(program.getTypeChecker(), call, description, database, decode)) found.add(fault);
    }
    for (const message of found) {
      const column = /^“(.+)” can be null$/.exec(message)?.[1];
      if (column !== undefined && filled[file]?.columns.includes(column)) used.add(`${file}: ${column}`);
      else faults.push(`${file}:${call.line}: ${message}`);
    }
  }
  for (const [file, messages] of unread) if (messages.length !== unreadable[file]?.calls) faults.push(...messages);
  // An exception that is none any more would hide the next fault.
  const looked = new Set(files.map(({ fileName }) => path.relative(root, fileName)));
  for (const [file, { columns }] of Object.entries(filled)) {
    for (const column of columns)
      if (looked.has(file) && !used.has(`${file}: ${column}`)) faults.push(`${file}: “${column}” is no exception`);
  }
  for (const file of Object.keys(unreadable)) if (looked.has(file) && !unread.has(file)) faults.push(`${file} is no exception`);
  return { calls: calls.length, statements: descriptions.size, rows: calls.filter(({ row }) => row).length, faults };
}
