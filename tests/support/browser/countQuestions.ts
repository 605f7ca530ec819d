import type { Page, Request } from 'playwright-core';

/** The names of the operations that a page asks the service for meanwhile, those in the background left out. */
export async function countQuestions(page: Page, during: () => Promise<unknown>): Promise<readonly string[]> {
  const names: string[] = [];
  const note = (request: Request) => {
    if (!request.url().endsWith('/graphql') || request.headers()['x-svc-background']) return;
    names.push((request.postDataJSON() as { operationName: string }).operationName);
  };
  page.on('request', note);
  await during();
  page.off('request', note);
  return names;
}
