import type { Page } from 'playwright-core';

/** Fills in and sends the form for a new integration, and returns its slug. */
export async function createInBrowser(page: Page, name: string): Promise<string> {
  await page.goto('/integrations/new');
  return fillInIntegration(page, name);
}

/** Fills in and sends the form of the page that has it already. */
export async function fillInIntegration(page: Page, name: string): Promise<string> {
  await page.getByLabel('Public name').fill(name);
  const slug = await page.getByLabel('Slug').inputValue();
  await page.getByLabel('Public description').fill('Shows people where their order is on its way.');
  await page.getByLabel('Purpose').fill('To show a user the progress of the orders they linked.');
  await page.getByLabel('Legal operator name').fill('Nordlys Software AS');
  await page.getByRole('combobox', { name: 'Country' }).selectOption('Norway');
  await page.getByLabel('Support email').fill('support@nordlys.example');
  await page.getByLabel('Website').fill('https://www.nordlys-tracker.com/');
  await page.getByLabel('Polling cadence in minutes').fill('30');
  await page.getByLabel('I use the data non-commercially').check();
  await page.getByLabel('I follow the attribution and app-link rules').check();
  await page.getByRole('button', { name: /^(Accept the terms and create|Create integration)$/ }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  return slug;
}

/** On the page “Go live”: confirms every item, with words where any are asked for, and submits. The owner's session must be fresh. */
export async function submitInBrowser(page: Page, slug: string, words: Readonly<Record<string, string>> = {}): Promise<void> {
  await page.goto(`/integrations/${slug}/production`);
  await fillInSubmission(page, words);
  await untilQueued(page);
}

/** Fills in and sends the form of the page that has it already. */
export async function fillInSubmission(page: Page, words: Readonly<Record<string, string>> = {}): Promise<void> {
  await page.getByLabel('Review address').fill('https://www.nordlys-tracker.com/demo');
  for (const box of await page.getByRole('list', { name: 'Checklist' }).getByRole('checkbox').all()) await box.check();
  for (const [title, word] of Object.entries(words)) {
    await page.getByRole('button', { name: `Add a note on: ${title}` }).click();
    await page.getByRole('textbox', { name: `Note on: ${title}` }).fill(word);
  }
  await page.getByRole('button', { name: 'Submit for review' }).click();
}

/** On the page of a submission that was sent. */
export async function untilQueued(page: Page): Promise<void> {
  await page.getByText('It is in the review queue.').waitFor();
}

/** Opens a submission from the queue by the integration's name. */
export async function openSubmission(page: Page, name: string): Promise<void> {
  await page.goto('/review');
  await page.getByRole('link', { name }).first().click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** On a submission's page: opens a point. */
export async function openPoint(page: Page, title: string): Promise<void> {
  const point = page.getByRole('listitem', { name: title }).getByRole('button', { name: title }).first();
  if ((await point.getAttribute('aria-expanded')) !== 'true') await point.click();
}

/** On a submission's page: says whether one point is met, and waits until that is saved. */
export async function giveVerdictInBrowser(page: Page, title: string, met: boolean, note = ''): Promise<void> {
  await openPoint(page, title);
  const item = page.getByRole('listitem', { name: title });
  if (note !== '') await item.getByRole('textbox').fill(note);
  await item.getByRole('button', { name: met ? `Met: ${title}` : `Not met: ${title}`, exact: true }).click();
  await item
    .getByText(met ? 'Met' : 'Not met', { exact: true })
    .first()
    .waitFor();
  await page.getByRole('group', { name: 'Decision' }).getByText('Saved', { exact: true }).waitFor();
}

/** On a submission's page: marks every item as met and approves. The reviewer's session must be fresh. */
export async function approveInBrowser(page: Page, titles: readonly string[]): Promise<void> {
  for (const title of titles) await giveVerdictInBrowser(page, title, true);
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve this version' }).click();
  await page.getByText('is approved.').waitFor();
}
