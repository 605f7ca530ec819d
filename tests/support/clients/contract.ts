import { readFileSync } from 'node:fs';
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import type { MachineResponse } from './MachineResponse.ts';

type Schema = { [key: string]: unknown };
type Header = { required?: boolean; schema: Schema };
type Response = { headers?: Record<string, Header>; content?: Record<string, { schema: Schema; examples?: Record<string, unknown> }> };
type Operation = {
  operationId: string;
  description: string;
  parameters?: { name?: string; in?: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
};
type Document = { paths: Record<string, Record<string, Operation>>; components: { responses: Record<string, Response> } };

/** Added by Node's HTTP server to every answer; not ours to describe. */
const transportHeaders = new Set(['date', 'connection', 'keep-alive', 'content-length', 'content-type', 'transfer-encoding']);

const description = parse(readFileSync(new URL('../../../rest-api/contract/openapi.yaml', import.meta.url), 'utf8')) as Document;
const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: false });
addFormats.default(ajv);
const compiled = new Map<Schema, ValidateFunction>();

/** The OpenAPI description, parsed. */
export const openApi = description;

/** Fails when an answer has a status, header, field or problem code that the OpenAPI description does not have for this operation. */
export function expectContract(method: string, pathAndQuery: string, response: MachineResponse): void {
  const path = pathAndQuery.split('?')[0] ?? '';
  const where = `${method} ${path} → ${response.status}`;
  const described = candidates(method, path, response.status);
  if (described.length === 0) throw new Error(`${where}: the status is not documented`);
  const complaints = described.map((candidate) => complaintsAbout(response, candidate, method));
  if (complaints.every((list) => list.length > 0))
    throw new Error(`${where}: ${complaints[0]?.join('; ')}\n${response.text.slice(0, 600)}`);
}

/** What is wrong with a value according to a schema of the description, undescribed fields included. */
export function complaintsOfSchema(schema: Schema, value: unknown): string[] {
  const known = compiled.get(schema) ?? ajv.compile(strict(schema) as AnySchema);
  compiled.set(schema, known);
  if (known(value)) return [];
  return (known.errors ?? []).map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`);
}

/** The schema that a reference such as `#/components/schemas/Order` names. */
export function schemaNamed(reference: string): Schema {
  return resolve<Schema>({ $ref: reference });
}

/** Every example in the description, with the schema beside it. */
export function examplesIn(value: unknown, where = ''): { where: string; schema: Schema; value: unknown }[] {
  if (value === null || typeof value !== 'object') return [];
  const node = value as { schema?: Schema; example?: unknown; examples?: Record<string, { value: unknown }> };
  const own = [
    ...('example' in node ? [{ where: `${where}.example`, value: node.example }] : []),
    ...(node.schema
      ? Object.entries(node.examples ?? {}).map(([name, example]) => ({ where: `${where}.${name}`, value: example.value }))
      : []),
  ];
  const { schema } = node;
  const inner = Object.entries(value)
    .filter(([key]) => key !== 'example' && key !== 'examples')
    .flatMap(([key, part]) => examplesIn(part, `${where}.${key}`));
  return [...(schema ? own.map((example) => ({ ...example, schema })) : []), ...inner];
}

/** A path or method that is not described can only be answered with a problem that every operation has. */
function candidates(method: string, path: string, status: number): Response[] {
  const operations = Object.entries(description.paths).find(([template]) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )?.[1];
  const operation = operations?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  const own = operation?.responses[String(status)];
  if (operation) return own ? [resolve(own)] : [];
  const all = Object.values(description.paths).flatMap((item) => Object.values(item).map((each) => each.responses[String(status)]));
  return status < 400 ? [] : all.filter((response) => response !== undefined).map(resolve);
}

function complaintsAbout({ status, headers, body, text }: MachineResponse, described: Response, method: string): string[] {
  const complaints: string[] = [];
  const documented = new Map(Object.entries(described.headers ?? {}).map(([name, header]) => [name.toLowerCase(), resolve(header)]));
  for (const name of Object.keys(headers)) {
    if (!documented.has(name) && !transportHeaders.has(name)) complaints.push(`the header ${name} is not documented`);
  }
  for (const [name, header] of documented) {
    const value = headers[name];
    if (value === undefined) {
      if (header.required) complaints.push(`the header ${name} is missing`);
    } else complaints.push(...complaintsOfSchema(header.schema, value).map((complaint) => `header ${name}${complaint}`));
  }
  for (const policy of (body as { violated_policies?: string[] } | null)?.violated_policies ?? []) {
    for (const name of ['ratelimit-policy', 'ratelimit'])
      if (!headers[name]?.includes(`"${policy}";`)) complaints.push(`the header ${name} does not have the violated policy ${policy}`);
  }
  if (status === 401 && headers['www-authenticate'] === undefined) complaints.push('the challenge is missing');
  if (method === 'HEAD' || status === 304) return text === '' ? complaints : [...complaints, 'a body where there is none'];
  const content = described.content?.[headers['content-type'] ?? ''];
  if (!content) return [...complaints, `the media type ${headers['content-type']} is not documented`];
  complaints.push(...complaintsOfSchema(content.schema, /json/.test(headers['content-type'] ?? '') ? body : text));
  const code = (body as { code?: string } | null)?.code;
  if (status >= 400 && !Object.hasOwn(content.examples ?? {}, code ?? '')) complaints.push(`the code ${code} is not documented here`);
  return complaints;
}

/**
 * The schema with its references resolved and every object closed. Only tests close them: the published schema stays open for later fields.
 */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (schema === null || typeof schema !== 'object') return schema;
  const resolved = resolve(schema as Schema);
  const copy: Schema = {};
  for (const [key, value] of Object.entries(resolved)) {
    if (key === 'discriminator') continue;
    copy[key] =
      key === 'properties'
        ? Object.fromEntries(Object.entries(value as Schema).map(([name, part]) => [name, strict(part)]))
        : strict(value);
  }
  if (copy['type'] === 'object' && copy['additionalProperties'] === undefined) copy['additionalProperties'] = false;
  return copy;
}

function resolve<Value extends object>(value: Value): Value {
  const reference = (value as { $ref?: unknown }).$ref;
  if (typeof reference !== 'string') return value;
  const parts = reference.slice(2).split('/');
  return resolve(parts.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], description) as Value);
}
