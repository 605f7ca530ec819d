import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';

export type Schema = {
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly default?: number;
  readonly properties?: Readonly<Record<string, Referring<Schema>>>;
  readonly required?: readonly string[];
  readonly items?: Referring<Schema>;
  readonly oneOf?: readonly Referring<Schema>[];
};

/** What may stand somewhere else; a description beside the reference replaces the one that stands there. */
export type Referring<T> = T | { readonly $ref: string; readonly description?: string };

type Media = {
  readonly schema: Referring<Schema>;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { value: ProblemExample }>>;
};

type ProblemExample = { readonly code: string; readonly title: string; readonly status: number };

export type Header = { readonly description?: string; readonly required?: boolean; readonly schema: Referring<Schema> };

export type Response = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Referring<Header>>>;
  readonly content?: Readonly<Record<string, Media>>;
};

type ContractParameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Referring<Schema>;
};

export type ContractOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Referring<ContractParameter>[];
  readonly requestBody?: { readonly description: string; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Referring<Response>>>;
};

type OpenApi = {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractOperation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
};

export type Message = {
  readonly name: string;
  readonly summary: string;
  readonly headers: Referring<Schema>;
  readonly payload: Referring<Schema>;
  readonly examples: readonly { readonly headers: Readonly<Record<string, string>>; readonly payload: unknown }[];
};

type AsyncApi = {
  readonly operations: Readonly<Record<string, { readonly description: string; readonly messages: readonly { readonly $ref: string }[] }>>;
  readonly components: { readonly messages: Readonly<Record<string, Message>> };
};

/** Both descriptions, and what resolves the references in them. */
export type Contract = {
  readonly openApi: OpenApi;
  readonly asyncApi: AsyncApi;
  /** What a value refers to, directly or through others. */
  resolve<T extends object>(value: Referring<T>): T;
  /** The name under which a schema is described, as the last part of its reference; null if it is described in place. */
  nameOf(value: Referring<Schema>): string | null;
};

/** Reads the descriptions in `rest-api/contract`. */
export async function readContract(root: string): Promise<Contract> {
  const read = async (name: string) => parse(await readFile(path.join(root, 'rest-api/contract', name), 'utf8')) as object;
  const [openApi, asyncApi] = await Promise.all([read('openapi.yaml'), read('asyncapi.yaml')]);
  // The descriptions use different names for schemas that differ, so a reference without a file is looked for in both.
  const documents = [openApi, asyncApi];
  const resolve = <T extends object>(value: Referring<T>): T => {
    if (!('$ref' in value)) return value;
    const { $ref, description } = value;
    const steps = $ref
      .replace(/^[^#]*#\//, '')
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const found = documents.map((document) => stepInto(document, steps)).find((each) => each !== undefined);
    if (found === undefined) throw new Error(`Nothing is described at ${$ref}.`);
    const resolved = resolve(found as Referring<T>);
    return description === undefined ? resolved : { ...resolved, description };
  };
  const nameOf = (value: Referring<Schema>) => ('$ref' in value ? (value.$ref.split('/').at(-1) ?? null) : null);
  return { openApi: openApi as OpenApi, asyncApi: asyncApi as AsyncApi, resolve, nameOf };
}

function stepInto(document: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (place, step) => (typeof place === 'object' && place ? (place as Record<string, unknown>)[step] : undefined),
    document,
  );
}
