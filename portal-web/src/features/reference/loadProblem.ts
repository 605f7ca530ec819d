import type { ProblemDocument } from './referenceTypes.ts';

/** The build answers this query of the contract (portal-web/documentation/vitePlugin.ts). */
const documents = import.meta.glob<Readonly<Record<string, ProblemDocument>>>('../../../../rest-api/contract/openapi.yaml', {
  query: '?problems',
  import: 'default',
});

/** The page of a problem's code, loaded with those of all others when the first one is read; null if there is no such code. */
export async function loadProblem(code: string): Promise<ProblemDocument | null> {
  const problems = (await Object.values(documents)[0]?.()) ?? {};
  return Object.hasOwn(problems, code) ? (problems[code] ?? null) : null;
}
