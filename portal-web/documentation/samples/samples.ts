import type { Language, Samples } from '../../src/features/reference/referenceTypes.ts';
import type { Content } from '../model.ts';
import type { Call } from './Call.ts';
import { colour } from './colour.ts';
import { curl } from './curl.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { python } from './python.ts';
import { typescript } from './typescript.ts';

type Described = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The names of headers without which the call is refused. */
  readonly headers: readonly string[];
  readonly body: Content | null;
};

const writers: Readonly<Record<Language, (call: Call) => string>> = { curl, typescript, python, go, java };

/** What a header that has to be sent is made of. An acknowledgement's key must be its own, and the revocation has an ID of its own. */
const values: Readonly<Record<string, string>> = { 'Idempotency-Key': '{{revocation_id}}' };

/** The simplest call of an operation in every language, coloured. */
export function samplesOf({ name, method, path, headers, body }: Described): Samples {
  const required = headers.map((header) => [header, values[header] ?? header] as const);
  const call: Call = {
    name,
    method,
    path: path.replaceAll(/\{(\w+)\}/g, '{{$1}}'),
    headers: body ? [['Content-Type', body.mediaType], ...required] : required,
    body: body && bodyOf(body),
  };
  const sample = (language: Language) => colour(language, writers[language](call));
  return { curl: sample('curl'), typescript: sample('typescript'), python: sample('python'), go: sample('go'), java: sample('java') };
}

/** A body that is not JSON is in a file; the guide on renewal makes it. A code that was an example would be nobody's. */
function bodyOf({ mediaType, example }: Content): Call['body'] {
  if (mediaType !== 'application/json') return { file: 'request.b64' };
  const value = JSON.parse(example) as Record<string, unknown>;
  return { json: 'code' in value ? { ...value, code: '{{link_code}}' } : value };
}
