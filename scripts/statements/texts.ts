import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { combinations, DependsOn, isUnknown, type Thunk } from './thunks.ts';

type Module = { readonly $evaluate: (code: string) => (...values: unknown[]) => unknown };

/**
 * From now on, modules are loaded from their TypeScript, decorators included, and each can evaluate code that sees what the module sees.
 */
export function openModules({ target, experimentalDecorators, useDefineForClassFields }: ts.CompilerOptions): void {
  const compilerOptions = {
    target,
    experimentalDecorators,
    useDefineForClassFields,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
  };
  registerHooks({
    load: (url, context, next) => {
      if (!url.startsWith('file:') || !url.endsWith('.ts') || url.includes('/node_modules/')) return next(url, context);
      const { outputText } = ts.transpileModule(readFileSync(new URL(url), 'utf8'), { compilerOptions });
      const source = `${outputText}\nexport const $evaluate = (code) => eval(code);\n`;
      return { format: 'module', source, shortCircuit: true };
    },
  });
}

/** Callers whose callers give a text are followed this far. */
const mostSteps = 4;

/** All texts that a statement's thunk may have: its value, or the value's `text`. Throws `DependsOn` if it has others, too. */
export async function textsOf(thunk: Thunk): Promise<string[]> {
  const texts = await valuesOf(thunk, mostSteps, (value) => {
    const text = typeof value === 'object' && value !== null && 'text' in value ? value.text : value;
    // An unknown one says by itself what it is.
    if (typeof text !== 'string') throw new Error(`it is ${String(text)}`);
    return text;
  });
  if (texts.length === 0) throw new Error('nothing gives it');
  return [...new Set(texts)];
}

async function valuesOf<Value>(thunk: Thunk, steps: number, finish: (value: unknown) => Value): Promise<Value[]> {
  if (ts.isStringLiteralLike(thunk.at)) return [finish(thunk.at.text)];
  // A program would run.
  if (/\/(?:server\/[^/]+|main)\.ts$/.test(thunk.file)) throw new Error('it depends on what a program hands in');
  const { $evaluate } = (await import(pathToFileURL(thunk.file).href)) as Module;
  const run = $evaluate(ts.transpile(thunk.code, { target: ts.ScriptTarget.ESNext }));
  const lists = thunk.parameters.map(({ values }) => values);
  for (;;) {
    try {
      return allOf(combinations(lists), (values) => finish(run(...values)));
    } catch (error) {
      if (!(error instanceof DependsOn) || steps === 0) throw error;
      const at = thunk.parameters.findIndex(({ values }, index) => values === lists[index] && holds(values, error.value));
      const { given, path = [] } = thunk.parameters[at] ?? {};
      const thunks = given?.() ?? [];
      if (thunks.length === 0) throw error;
      const all: unknown[] = [];
      for (const each of thunks) all.push(...(await valuesOf(each, steps - 1, known)));
      const nothing = thunk.parameters[at]?.values.some((value) => value == null);
      // Where it cannot be nothing, a condition before has seen to it.
      lists[at] = path
        .reduce((found, _each) => found.flatMap((value) => Object.values(value as object)), all)
        .filter((value) => nothing || value != null);
    }
  }
}

/** The results for all rows of values but those that the code itself refuses, as long as it does not refuse all. */
function allOf<Value>(rows: readonly unknown[][], run: (values: readonly unknown[]) => Value): Value[] {
  const results: Value[] = [];
  let refusal: unknown;
  for (const values of rows) {
    try {
      results.push(run(values));
    } catch (error) {
      if (error instanceof DependsOn) throw error;
      refusal = error;
    }
  }
  if (results.length === 0 && refusal !== undefined) throw refusal;
  return results;
}

function known(value: unknown): unknown {
  return isUnknown(value) ? String(value) : value;
}

/** Whether one of the values is, or has somewhere in it, this one. */
function holds(values: readonly unknown[], wanted: unknown): boolean {
  return values.some((value) => value === wanted || (typeof value === 'object' && value !== null && holds(Object.values(value), wanted)));
}
