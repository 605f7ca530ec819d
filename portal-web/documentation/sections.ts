import type { FieldRow, ReferencePart, ReferenceSection } from '../src/features/reference/referenceTypes.ts';
import { everyCallsProblems, problemsTable } from './markdown.ts';
import type { Answer, EventReference, OperationReference, ProblemRow } from './model.ts';

/** The page of an operation: the request beside its sample, each answer beside its example, and the problems. */
export function operationSections(operation: OperationReference, isOwn: (problem: ProblemRow) => boolean): ReferenceSection[] {
  const { method, path, words, parameters, body, answers, problems } = operation;
  const request = [
    partOf(null, `\`${method} ${path}\`\n\n${words}`),
    ...(parameters.length > 0
      ? [
          partOf(
            'Parameters',
            '',
            'parameter',
            parameters.map((each) => ({ ...each, type: `${each.in}, ${each.type}` })),
          ),
        ]
      : []),
    ...(body ? [partOf('Body', `\`${body.mediaType}\`. ${body.words}`, 'body', body.fields)] : []),
  ];
  const own = problems.filter(isOwn);
  return [
    { parts: request, example: '' },
    ...answers.map(answerSection),
    { parts: [partOf('Problems', [own.length > 0 && problemsTable(own), everyCallsProblems].filter(Boolean).join('\n\n'))], example: '' },
  ];
}

/** The page of an event: each form of its payload beside an example, and the headers. */
export function eventSections({ summary, headers, exampleHeaders, forms }: EventReference): ReferenceSection[] {
  const alone = forms.length === 1;
  return [
    ...forms.map(({ words, fields, example }, at): ReferenceSection => {
      const heading = alone ? 'Payload' : at === 0 ? 'Payload in notification mode' : 'Payload in full-payload mode';
      const introduction = `${summary}\n\nThe guide [Webhooks](/docs/webhooks) says how to verify a delivery, and has complete receivers.`;
      const payload = partOf(heading, words, at === 0 ? 'payload' : 'full', fields);
      return { parts: at === 0 ? [partOf(null, introduction), payload] : [payload], example };
    }),
    { parts: [partOf('Headers', '', 'header', headers)], example: exampleHeaders },
  ];
}

function answerSection({ status, words, headers, content }: Answer): ReferenceSection {
  const answer = `answer-${status}`;
  return {
    parts: [
      partOf(`Response ${status}`, words, answer, content?.fields ?? []),
      ...(headers.length > 0 ? [partOf(`Headers of ${status}`, '', `${answer}-header`, headers)] : []),
    ],
    example: content?.example ?? '',
  };
}

function partOf(heading: string | null, words: string, anchors = '', rows: readonly FieldRow[] = []): ReferencePart {
  return {
    heading,
    words,
    anchors,
    rows: rows.map(({ name, type, required, words: meaning }) => ({ name, type, required, words: meaning })),
  };
}
