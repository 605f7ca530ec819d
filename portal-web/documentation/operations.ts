import type { Answer, Content, OperationReference, Parameter, ProblemRow } from './model.ts';
import type { FieldRow } from '../src/features/reference/referenceTypes.ts';
import { type Contract, type ContractOperation, type Header, type Referring, type Response } from './contract.ts';
import { fieldRows, typeOf } from './fieldRows.ts';
import { samplesOf } from './samples/samples.ts';

/** What a code of the catalogue advises. */
type Advice = (code: string) => string;

/** Every operation of the machine contract, by its name. */
export function operationsOf(contract: Contract, adviceOf: Advice): Record<string, OperationReference> {
  const operations = Object.entries(contract.openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      operationOf(contract, { method: method.toUpperCase(), path, operation, adviceOf }),
    ),
  );
  return Object.fromEntries(operations.map((each) => [each.name, each]));
}

type Described = { readonly method: string; readonly path: string; readonly operation: ContractOperation; readonly adviceOf: Advice };

function operationOf(contract: Contract, { method, path, operation, adviceOf }: Described): OperationReference {
  const responses = Object.entries(operation.responses).map(([status, response]) => [status, contract.resolve(response)] as const);
  const body = operation.requestBody;
  const call = { name: operation.operationId, method, path };
  const parameters = (operation.parameters ?? []).map((each): Parameter => {
    const { name, in: place, required = false, description = '', schema } = contract.resolve(each);
    return { name, in: place, type: typeOf(contract, schema), required, words: oneLine(description) };
  });
  const content = body ? contentOf(contract, body.content) : null;
  return {
    ...call,
    summary: operation.summary,
    words: operation.description.trim(),
    parameters,
    body: body && content ? { ...content, words: oneLine(body.description) } : null,
    answers: responses.flatMap(([status, response]) => (isProblem(response) ? [] : [answerOf(contract, status, response)])),
    problems: responses.flatMap(([status, response]) => problemsOf(status, response, adviceOf)),
    samples: samplesOf({
      ...call,
      headers: parameters.filter((each) => each.in === 'header' && each.required).map(({ name }) => name),
      body: content,
    }),
  };
}

/** Headers that come with every answer are described once, in the overview. */
const everywhere = new Set(['X-Request-Id', 'RateLimit-Policy', 'RateLimit', 'X-Content-Type-Options', 'Cache-Control']);

function answerOf(contract: Contract, status: string, { description, headers = {}, content }: Response): Answer {
  const shown = Object.entries(headers).filter(([name]) => !everywhere.has(name));
  return {
    status,
    words: oneLine(description),
    headers: shown.map(([name, header]) => headerRow(contract, name, header)),
    content: content ? contentOf(contract, content) : null,
  };
}

function headerRow(contract: Contract, name: string, header: Referring<Header>): FieldRow {
  const { description = '', required = false, schema } = contract.resolve(header);
  return { name, type: typeOf(contract, schema), required, words: oneLine(description) };
}

function contentOf(contract: Contract, content: NonNullable<Response['content']>): Content {
  const [mediaType = '', media] = Object.entries(content).at(0) ?? [];
  const example = media?.example ?? '';
  return {
    mediaType,
    fields: media ? fieldRows(contract, media.schema) : [],
    example: typeof example === 'string' ? example.trim() : JSON.stringify(example, null, 2),
  };
}

function isProblem({ content = {} }: Response): boolean {
  return 'application/problem+json' in content;
}

function problemsOf(status: string, { content = {} }: Response, adviceOf: Advice): ProblemRow[] {
  const examples = Object.values(content['application/problem+json']?.examples ?? {});
  return examples.map(({ value: { code, title } }) => ({ status, code, title, advice: adviceOf(code) }));
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
