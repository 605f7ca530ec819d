import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { complaintsOfSchema, schemaNamed } from './contract.ts';

type Schema = { [key: string]: unknown };
type Message = {
  readonly name: string;
  readonly headers?: Schema;
  readonly payload: Schema;
  readonly examples: readonly { readonly name: string; readonly headers?: Record<string, string>; readonly payload: object }[];
};
type Delivered = { readonly method: string; readonly rawHeaders: readonly string[]; readonly body: Buffer };

/** HTTP's own headers, which are not described. */
const transportHeaders = new Set(['host', 'connection', 'content-length']);

const description = parse(readFileSync(new URL('../../../rest-api/contract/asyncapi.yaml', import.meta.url), 'utf8')) as Schema;

/** Resolves the references within the description. Those into the OpenAPI description are left to its own resolver. */
function bundled<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(bundled) as Value;
  if (value === null || typeof value !== 'object') return value;
  const { $ref: reference } = value as { $ref?: unknown };
  if (typeof reference === 'string' && reference.startsWith('./openapi.yaml'))
    return schemaNamed(reference.slice('./openapi.yaml'.length)) as Value;
  if (typeof reference === 'string') {
    const found = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, part) => (at as Schema)[part], description);
    return bundled(found as Value);
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, bundled(part)])) as Value;
}

/** Every message of the description by its key, with its references resolved. */
export const describedMessages = bundled((description['components'] as Schema)['messages']) as Readonly<Record<string, Message>>;

/** The keys of the messages that an operation of the description sends. */
export function messagesOf(operation: string): string[] {
  const operations = description['operations'] as Readonly<Record<string, { readonly messages: readonly { readonly $ref: string }[] }>>;
  return (operations[operation]?.messages ?? []).map(({ $ref }) => $ref.split('/').at(-1) ?? '');
}

/** What is wrong with a delivered request, or with a challenge, according to the AsyncAPI description: undescribed headers and members too. */
export function complaintsAboutDelivery({ method, rawHeaders, body }: Delivered): string[] {
  const pairs = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : []));
  const headers = Object.fromEntries(pairs.filter(([name]) => !transportHeaders.has(name.toLowerCase())));
  const payload = JSON.parse(body.toString()) as { type?: string; data?: object };
  const snapshot = payload.data !== undefined && 'snapshot' in payload.data;
  const entry = Object.entries(describedMessages).find(
    ([key, { name }]) => name === payload.type && key.endsWith('WithSnapshot') === snapshot,
  );
  if (!entry) return [`no message is described for ${payload.type}${snapshot ? ' with a snapshot' : ''}`];
  const [key, message] = entry;
  return [
    ...(method === 'POST' ? [] : [`the method is ${method}`]),
    ...(message.headers ? complaintsOfSchema(message.headers, headers).map((complaint) => `${key}: header ${complaint}`) : []),
    ...complaintsOfSchema(message.payload, payload).map((complaint) => `${key}: ${complaint}`),
  ];
}

/** Fails when a delivered request or a challenge is not as the AsyncAPI description says. */
export function expectDescribed(request: Delivered): void {
  const complaints = complaintsAboutDelivery(request);
  if (complaints.length > 0) throw new Error(`A delivery is not as described: ${complaints.join('; ')}`);
}
