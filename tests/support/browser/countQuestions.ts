import type { Page, Request } from 'playwright-core';

/**
 * The names of the operations that a page asks the service for meanwhile, of which there is at least one, until it has its answers and asks
 * nothing more. Those in the background are left out.
 */
export async function countQuestions(page: Page, during: () => Promise<unknown>): Promise<readonly string[]> {
  const names: string[] = [];
  const underWay = new Set<Request>();
  const note = (request: Request) => {
    if (!isQuestion(request)) return;
    underWay.add(request);
    names.push((request.postDataJSON() as { operationName: string }).operationName);
  };
  const end = (request: Request) => void underWay.delete(request);
  page.on('request', note).on('requestfinished', end).on('requestfailed', end);
  await during();
  if (names.length === 0) await page.waitForRequest(isQuestion);
  do {
    await Promise.all([...underWay].map((request) => request.response().then((response) => response?.finished())));
    // What is shown now may ask in its turn.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))');
  } while (underWay.size > 0);
  page.off('request', note).off('requestfinished', end).off('requestfailed', end);
  return names;
}

function isQuestion(request: Request): boolean {
  return request.url().endsWith('/graphql') && !request.headers()['x-svc-background'];
}
