import { fillSample } from '../src/features/reference/fillSample.ts';
import { languages, type Language, type Samples, type SlotValues } from '../src/features/reference/referenceTypes.ts';
import type { Answer, Content, EventReference, OperationReference, ProblemRow } from './model.ts';
import type { FieldRow } from '../src/features/reference/referenceTypes.ts';

/** The page of an operation without its title and samples. */
export function operationMarkdown(operation: OperationReference, isOwn: (problem: ProblemRow) => boolean): string {
  const { method, path, words, parameters, body, answers, problems } = operation;
  return joined(
    `\`${method} ${path}\``,
    words,
    parameters.length > 0 && '## Parameters',
    parameters.length > 0 &&
      tableOf(
        ['Name', 'Where', 'Type', 'Meaning'],
        parameters.map((each) => [`\`${each.name}\``, each.in, each.type, meaning(each)]),
      ),
    body && joined('## Body', `\`${body.mediaType}\`. ${body.words}`, ...contentMarkdown(body)),
    '## Answers',
    ...answers.map(answerMarkdown),
    '## Problems',
    problems.some(isOwn) && problemsTable(problems.filter(isOwn)),
    everyCallsProblems,
  );
}

export const everyCallsProblems = 'Every call can also get [the problems of every call](/docs/reference#problems-of-every-call).';

/** The page of an event without its title. */
export function eventMarkdown({ summary, headers, exampleHeaders, forms }: EventReference): string {
  const alone = forms.length === 1;
  return joined(
    summary,
    'The guide [Webhooks](/docs/webhooks) says how to verify a delivery, and has complete receivers.',
    ...forms.map(({ words, fields, example }, place) =>
      joined(
        alone ? '## Payload' : place === 0 ? '## Payload in notification mode' : '## Payload in full-payload mode',
        words,
        fieldsTable(fields),
        fenced('json', example),
      ),
    ),
    '## Headers',
    fieldsTable(headers, 'Header'),
    fenced('http', exampleHeaders),
  );
}

/** Names of languages, and what their fences are called. */
const languageWords: Readonly<Record<Language, readonly [name: string, fence: string]>> = {
  curl: ['curl', 'sh'],
  typescript: ['TypeScript', 'ts'],
  python: ['Python', 'python'],
  go: ['Go', 'go'],
  java: ['Java', 'java'],
};

/** The samples of an operation as a section, for those who read the page without the portal. */
export function samplesMarkdown(samples: Samples, values: SlotValues): string {
  const text = (language: Language) =>
    fillSample(samples[language], values)
      .map(([, part]) => part)
      .join('');
  return joined(
    '## Samples',
    ...languages.map((language) =>
      joined(`### ${languageWords[language][0]}`, fenced(languageWords[language][1], text(language).trimEnd())),
    ),
  );
}

/** Codes with what to do about them. */
export function problemsTable(problems: readonly ProblemRow[]): string {
  return tableOf(
    ['Code', 'Status', 'What to do'],
    problems.map(({ code, status, advice }) => [`[\`${code}\`](/problems/${code})`, status, advice]),
  );
}

/** Rows under their heads. */
export function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function answerMarkdown({ status, words, headers, content }: Answer): string {
  return joined(`### ${status}`, words, headers.length > 0 && fieldsTable(headers, 'Header'), ...(content ? contentMarkdown(content) : []));
}

function contentMarkdown({ fields, example }: Content): (string | false)[] {
  return [fields.length > 0 && fieldsTable(fields), example !== '' && fenced(example.startsWith('{') ? 'json' : 'text', example)];
}

function fieldsTable(fields: readonly FieldRow[], head = 'Field'): string {
  return tableOf(
    [head, 'Type', 'Meaning'],
    fields.map((each) => [`\`${each.name}\``, each.type, meaning(each)]),
  );
}

function meaning({ required, words }: FieldRow): string {
  return `${required ? '' : 'Optional. '}${words}`.trim();
}

/** A block of code. */
export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function joined(...parts: readonly (string | false | null)[]): string {
  return parts.filter(Boolean).join('\n\n');
}
