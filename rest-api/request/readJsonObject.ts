import { invalidBody } from '../answer/problemDetails.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Reads UTF-8 JSON text as an object. Throws `invalid_request` if it is not one, or if a member is unknown or occurs twice. */
export function readJsonObject(bytes: Uint8Array, known: readonly string[]): JsonObject {
  const { text, value } = parse(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidBody('', 'The body must be a JSON object.');
  // An unknown name is not repeated to its sender, because a value in the wrong place may be a secret.
  if (Object.keys(value).some((name) => !known.includes(name)))
    throw invalidBody('', `The body has an unknown field. This operation takes ${known.join(' and ')}.`);
  const names = memberNames(text);
  const doubled = names.find((name, index) => names.indexOf(name) !== index);
  if (doubled !== undefined) throw invalidBody(`/${doubled}`, 'The field may be given only once.');
  return value as JsonObject;
}

function parse(bytes: Uint8Array): { text: string; value: unknown } {
  try {
    const text = decoder.decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch {
    // The parser's own message quotes the text, which may contain a link code.
    throw invalidBody('', 'The body is not JSON in UTF-8.');
  }
}

/** The names of an object's own members, read from its valid JSON text, with duplicates. Parsing would keep only the last of each. */
function memberNames(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let string = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token !== ':') string = token;
    else if (depth === 1) names.push(JSON.parse(string) as string);
  }
  return names;
}
