import { errorCatalogue, type ErrorCode } from '../../server/domain/shared/errorCatalogue.ts';
import { problemTexts, retryWords } from '../../server/portal-http/pages/problemTexts.ts';
import type { ProblemDocument } from '../src/features/reference/referenceTypes.ts';
import type { Contract } from './contract.ts';
import { fenced, tableOf } from './markdown.ts';

/** A guide that names codes. */
type Naming = { readonly path: string; readonly title: string; readonly markdown: string };

/** The page of each code, without its title: what to do, what it means, an example, and the guides that name it. */
export function problemPages(contract: Contract, guides: readonly Naming[]): Record<string, ProblemDocument> {
  const examples = examplesOf(contract);
  const pages = (Object.keys(errorCatalogue) as ErrorCode[]).map((code): [ErrorCode, ProblemDocument] => {
    const { status, title, advice, graphql } = errorCatalogue[code];
    const { meaning, steps, retry } = problemTexts[code];
    const example = examples.get(code) ?? { errors: [{ message: advice, extensions: { code: graphql } }] };
    const naming = guides.filter(({ markdown }) => markdown.includes(`\`${code}\``) || markdown.includes(` ${code}\``));
    const markdown = [
      '## What to do',
      steps.map((step) => `- ${step}`).join('\n'),
      '## What it means',
      meaning,
      tableOf(['Code', 'HTTP status', 'Retry the request?'], [[`\`${code}\``, String(status), retryWords[retry]]]),
      examples.has(code) ? '## Example response body' : '## Example response',
      fenced('json', JSON.stringify(example, null, 2)),
      examples.has(code)
        ? 'Look up the `request_id` in the request log of the integration. [Errors](/docs/errors) says what all problems have in common.'
        : 'Only the portal’s GraphQL API returns this problem; the machine API does not.',
      naming.length > 0 && `More about it: ${naming.map((guide) => `[${guide.title}](${guide.path})`).join(', ')}.`,
    ];
    return [code, { title, status, lead: advice, markdown: markdown.filter(Boolean).join('\n\n') }];
  });
  return Object.fromEntries(pages);
}

/** An example of each problem's body. If several responses have one of a code, the first one is shown. */
function examplesOf({ openApi }: Contract): Map<string, object> {
  const examples = Object.values(openApi.components.responses).flatMap(({ content = {} }) =>
    Object.values(content).flatMap((media) => Object.entries(media.examples ?? {})),
  );
  return new Map(examples.toReversed().map(([code, { value }]) => [code, value]));
}
