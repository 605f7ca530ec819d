import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page, Route } from 'playwright-core';
import { reviewTimesWords } from '../../../portal-web/src/features/review/reviewTimesWords.ts';
import { reviewChecklist, reviewItems } from '../../../server/domain/review/reviewChecklist.ts';
import { accessibilityFindings, launchBrowser, type WatchedPage } from '../../support/browser/browser.ts';
import { keepEveryScreenshot, keepScreenshot } from '../../support/browser/keepScreenshot.ts';
import { picture } from '../../support/logo-files/pictures.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import type { PortalClient } from '../../support/clients/portalClient.ts';
import {
  createInBrowser,
  giveVerdictInBrowser,
  openPoint,
  openSubmission,
  submitInBrowser,
} from '../../support/browser/reviewInBrowser.ts';
import { reviewer, submit } from '../../support/world/reviewPath.ts';
import { confirmInBrowser, openPageAs } from '../../support/browser/signedInBrowser.ts';
import { overflow } from '../../support/browser/overflow.ts';
import { patient } from '../../support/patience.ts';

const name = 'Nordlys Tracker';
const titles = reviewItems.map((item) => reviewChecklist[item].title);

let application: PortalWorld;
let browser: Browser;
let owner: PortalClient;
let staff: PortalClient;
let watched: WatchedPage[];
let page: Page;
let reviewPage: Page;
let slug: string;
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  [owner, staff] = [await application.operator(), await reviewer(application)];
  watched = [await openPageAs(browser, owner), await openPageAs(browser, staff)];
  [page, reviewPage] = watched.map((each) => each.page) as [Page, Page];
});
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

test('review times are a sentence, and give no figure where too few reviews were decided', () => {
  const none = reviewTimesWords({ decisions: 0, medianSeconds: null, ninetiethPercentileSeconds: null });
  expect(none).toBe('No submission was decided in the last 90 days, so we cannot estimate the review time.');
  const times = { medianSeconds: 7200, ninetiethPercentileSeconds: 86_400 };
  expect(reviewTimesWords({ decisions: 1, ...times })).toMatch(/^Only 1 submission was decided .* too few to estimate the review time\.$/);
  expect(reviewTimesWords({ decisions: 9, ...times })).toMatch(
    /^Only 9 submissions were decided .* too few to estimate the review time\.$/,
  );
  expect(reviewTimesWords({ decisions: 10, ...times })).toBe(
    'Of the 10 reviews in the last 90 days, half took 2 hours or less, and nine in ten took 1 day or less, including the time for questions.',
  );
});

test('an owner creates an integration and is told that a logo comes before the submission', async () => {
  slug = await createInBrowser(page, name);
  await page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: 'Go live' }).click();
  const logo = page.getByRole('listitem', { name: 'Logo upload' });
  await logo.getByText('To do').waitFor();
  // Once among all that is still to do, and once where it is done.
  await page.getByRole('status').filter({ hasText: 'Still to do: upload a logo,' }).waitFor();
  expect(await page.locator('main').getByText(/logo/i).count()).toBe(2);
  await logo.getByRole('link', { name: 'Go to the profile' }).waitFor();
  // What can be done elsewhere has its way there.
  const fromKit = page.getByRole('link', { name: 'Copy it from the kit: Footer badge' });
  await fromKit.waitFor();
  expect(await fromKit.evaluate((link) => link.ownerDocument.defaultView?.getComputedStyle(link).textDecorationLine)).toBe('underline');
  const body = new Uint8Array(await picture(300).png().toBuffer());
  expect((await owner.fetch(`/integrations/${slug}/logo`, { method: 'POST', body })).status).toBe(201);
});

test('what is done stays visible, what is written is kept, and the button works once nothing is left to do', async () => {
  const production = `/integrations/${slug}/production`;
  await page.goto(production);
  await page.getByRole('listitem', { name: 'Logo upload' }).getByText('Done').waitFor();
  const total = reviewItems.length;
  await page
    .getByRole('status')
    .filter({ hasText: `Still to do: give the review address, confirm ${total} points.` })
    .waitFor();
  expect(await page.getByRole('button', { name: 'Submit for review' }).isDisabled()).toBe(true);
  await page.getByLabel('Review address').fill('https://www.nordlys-tracker.com/demo');
  await page
    .getByRole('status')
    .filter({ hasText: `Still to do: confirm ${total} points.` })
    .waitFor();
  // Leaving the page saves what was confirmed a moment before.
  const saved = page.waitForResponse((response) => response.request().postData()?.includes('"confirmed":true') === true);
  await page.getByRole('checkbox', { name: 'Deletion' }).check();
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await page.waitForURL(`**/integrations/${slug}`);
  await saved;
  await page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: 'Go live' }).click();
  await page
    .getByRole('status')
    .filter({ hasText: `Still to do: confirm ${total - 1} more points.` })
    .waitFor();
  expect(await page.getByLabel('Review address').inputValue()).toBe('https://www.nordlys-tracker.com/demo');
  await application.work();
  await page.getByText('10 could not be checked', { exact: true }).click();
  await page.getByText(/^This is a development server\. .*That does not block a submission\.$/).waitFor();
  await page.getByRole('list', { name: 'Checks that could not be checked' }).getByText('Answer of the website').waitFor();
  await keepScreenshot(page, 'production-form-1280');
});

describe('what another window has changed meanwhile', () => {
  const refused = 'You have changed this in another window in the meantime. What you wrote here is not saved.';
  const elsewhere = async (reviewUrl: string) => {
    const { id } = await owner.must<{ id: string }>('integration', { slug });
    const confirmations = [{ item: 'deletion', confirmed: true, word: null }];
    await owner.must('saveSubmissionDraft', { input: { integrationId: id, reviewUrl, confirmations } });
  };
  const address = () => page.getByLabel('Review address');
  const notice = () => page.getByRole('status').filter({ hasText: 'Not saved' });
  const stored = async () => {
    const [row] = await application.rows<{ url: string }>(
      'select review_url as url from submission_draft d join integration i on i.id = d.integration_id where i.slug = $1',
      [slug],
    );
    return row?.url;
  };
  /** Types an address while another window stores one, which arrives first. The page has not read it before. */
  const typeAgainst = async (here: string, there: string) => {
    const held = Promise.withResolvers<Route>();
    await page.route('**/graphql', (route) => {
      if (route.request().postData()?.includes('saveSubmissionDraft')) held.resolve(route);
      else void route.continue();
    });
    await address().fill(here);
    const save = await held.promise;
    await elsewhere(there);
    await save.continue();
    await page.unroute('**/graphql');
    await notice().getByText(refused).waitFor();
    await notice().getByText(there).waitFor();
  };

  test('is shown before it is replaced, and the owner may keep what is here', async () => {
    await page.goto(`/integrations/${slug}/production`);
    await typeAgainst('https://www.nordlys-tracker.com/here', 'https://www.nordlys-tracker.com/elsewhere');
    expect(await address().inputValue()).toBe('https://www.nordlys-tracker.com/here');
    await keepEveryScreenshot(page, 'production-draft-conflict');
    expect(await accessibilityFindings(page)).toEqual([]);
    await notice().getByRole('button', { name: 'Keep what is here' }).click();
    await notice().waitFor({ state: 'detached' });
    await page.getByText('Saved just now.').waitFor();
    expect(await address().inputValue()).toBe('https://www.nordlys-tracker.com/here');
    expect(await stored()).toBe('https://www.nordlys-tracker.com/here');
  });

  test('is taken over, if the owner says so', async () => {
    await typeAgainst('https://www.nordlys-tracker.com/demo', 'https://www.nordlys-tracker.com/there');
    await notice().getByRole('button', { name: 'Take what is stored' }).click();
    await notice().waitFor({ state: 'detached' });
    expect(await address().inputValue()).toBe('https://www.nordlys-tracker.com/there');
    expect(await stored()).toBe('https://www.nordlys-tracker.com/there');
    await address().fill('https://www.nordlys-tracker.com/demo');
    await page.getByText('Saved just now.').waitFor();
  });
});

test('an answer that takes longer than the pause between two requests arrives all the same', async () => {
  const slow = await openPageAs(browser, owner);
  watched.push(slow);
  await slow.page.clock.install();
  await slow.page.goto(`/integrations/${slug}/production`);
  await slow.page.getByLabel('Review address').waitFor();
  const held: Route[] = [];
  await slow.page.route('**/graphql', (route) => {
    if (route.request().postData()?.includes('query Production(')) held.push(route);
    else void route.continue();
  });
  await slow.page.waitForRequest((request) => request.postData()?.includes('query Production(') === true);
  for (let second = 0; second < 10; second += 1) await slow.page.clock.runFor(1_000);
  expect(held).toHaveLength(1);
  const answered = slow.page.waitForResponse((response) => response.request() === held[0]?.request());
  await held[0]?.continue();
  expect((await answered).status()).toBe(200);
  await slow.page.close();
});

test('the owner submits; the profile waits for the reviewers', async () => {
  await confirmInBrowser(page, owner);
  await submitInBrowser(page, slug, { Deletion: 'Every night.' });
  await page.getByRole('heading', { name: 'Review of submission 1' }).waitFor();
  await page.getByRole('main').getByText('Submitted', { exact: true }).first().waitFor();
  await page.getByText('What you confirmed').click();
  await page.getByText('Every night.').waitFor();
  expect(await page.getByRole('listitem').filter({ hasText: 'With the reviewers' }).getAttribute('aria-current')).toBe('step');
  await page.getByText('You are next.').waitFor();
  // A development server says how its review goes on.
  await page.getByText('dist/oi admin grant-role EMAIL reviewer').waitFor();
  expect(await page.getByRole('button', { name: 'Submit for review' }).count()).toBe(0);
});

test('a reviewer finds it in the queue, takes it and asks; the owner answers on the page', async () => {
  await reviewPage.goto('/review?tab=waitingForOwner');
  await reviewPage.getByText('No owner has a question to answer.').waitFor();
  await reviewPage.getByRole('link', { name: 'Unassigned 1' }).click();
  await reviewPage.getByRole('table', { name: 'Submissions' }).getByText('Nobody yet').waitFor();
  await reviewPage.getByRole('link', { name }).focus();
  await reviewPage.keyboard.press('Enter');
  await reviewPage.getByRole('heading', { name, level: 1 }).waitFor();
  await reviewPage.getByText('Assigned to you.').waitFor();
  await reviewPage.getByLabel('Ask the owner').fill('Where does the credit stand on the chart?');
  await reviewPage.getByRole('button', { name: 'Send question' }).click();
  await reviewPage.getByText('Waiting for the owner’s answer.').waitFor();
  await page.reload();
  await page.getByText('The reviewers have a question.').waitFor();
  await page.goto(`/integrations/${slug}`);
  await page.getByRole('region', { name: 'The reviewers have a question' }).getByRole('link', { name: 'Read and answer' }).click();
  await page.getByLabel('Your answer').fill('Below its title.');
  await page.getByRole('button', { name: 'Send answer' }).click();
  await page.getByText('A reviewer is working on it.').waitFor();
  await reviewPage.reload();
  await reviewPage.getByText('Below its title.').waitFor();
});

test('the reviewer rejects with a verdict and notes, and the owner reads both', async () => {
  // The keys work once the header is there.
  await reviewPage.waitForLoadState('networkidle');
  for (const key of ['j', 'j', 'k', 'n']) await reviewPage.keyboard.press(key);
  const second = reviewPage.getByRole('listitem', { name: titles[1] });
  await second.getByRole('textbox').and(reviewPage.locator(':focus')).waitFor();
  await reviewPage.keyboard.type('No mark, nm');
  for (const key of ['Escape', 'm']) await reviewPage.keyboard.press(key);
  await second.getByText('Met', { exact: true }).first().waitFor();
  await reviewPage.keyboard.press('r');
  await reviewPage.getByRole('dialog').getByLabel('What needs to change').waitFor();
  await reviewPage.keyboard.press('Escape');
  await giveVerdictInBrowser(reviewPage, 'Privacy policy', false, 'The link is dead.');
  expect(await reviewPage.getByRole('button', { name: 'Approve', exact: true }).isDisabled()).toBe(true);
  await reviewPage.getByText(`2 of ${reviewItems.length}, 1 not met`).waitFor();
  const missing = reviewPage.getByText(`You can approve once all ${reviewItems.length} points are met.`);
  expect(await missing.isVisible()).toBe(true);
  // What the owner wrote is there once.
  expect(await reviewPage.getByText('Shows people where their order is on its way.').count()).toBe(1);
  await confirmInBrowser(reviewPage, staff);
  await reviewPage.reload();
  const note = reviewPage.getByRole('listitem', { name: 'Privacy policy' });
  await openPoint(reviewPage, 'Privacy policy');
  expect(await note.getByRole('textbox').inputValue()).toBe('The link is dead.');
  await reviewPage.getByRole('button', { name: 'Reject', exact: true }).click();
  const dialog = reviewPage.getByRole('dialog');
  const [row] = await application.rows<{ id: string }>('select id from review_submission');
  await owner.must('answerQuestion', { input: { submissionId: row?.id, body: 'And in the legend.' } });
  await dialog.getByLabel('What needs to change').fill('x');
  await dialog.getByRole('button', { name: 'Reject this version' }).click();
  await dialog.getByText('There are new messages since you opened this page.').waitFor();
  await dialog.getByRole('button', { name: 'Keep reviewing' }).click();
  await reviewPage.getByText('And in the legend.').waitFor();
  await reviewPage.getByRole('button', { name: 'Reject', exact: true }).click();
  await dialog.getByLabel('What needs to change').fill('');
  await dialog.getByRole('button', { name: 'Reject this version' }).click();
  await dialog.getByText('Say what needs to change').waitFor();
  await dialog.getByLabel('What needs to change').fill('Repair the link to the privacy policy.');
  await dialog.getByRole('button', { name: 'Reject this version' }).click();
  await reviewPage.getByText(`${name} is rejected.`).waitFor();
  await reviewPage.waitForURL('**/review');
  await page.goto(`/integrations/${slug}/production`);
  await page.getByText('Repair the link to the privacy policy.').waitFor();
  await page.getByRole('heading', { name: 'Submit again' }).waitFor();
  const asked = page.getByRole('list', { name: 'Checklist' });
  expect(await asked.getByRole('checkbox').count()).toBe(1);
  await asked.getByRole('listitem', { name: 'Privacy policy' }).getByText('The link is dead.').waitFor();
  await asked.getByRole('link', { name: 'Edit the profile' }).waitFor();
  await page.getByText(`${reviewItems.length - 1} points confirmed as before`).waitFor();
  expect(await page.getByLabel('Review address').inputValue()).toBe('https://www.nordlys-tracker.com/demo');
});

test('the owner corrects the profile and submits again; the reviewer sees what changed and the submission before', async () => {
  await page.goto(`/integrations/${slug}/profile`);
  const { profile } = await owner.must<{ profile: { version: number } }>('integration', { slug });
  await owner.must('reviseProfile', { input: await correctedProfile(profile.version) });
  await submitInBrowser(page, slug);
  await page.getByRole('heading', { name: 'Review of submission 2' }).waitFor();
  await openSubmission(reviewPage, name);
  await reviewPage.getByRole('heading', { name: 'What changed' }).waitFor();
  await reviewPage.getByText('https://www.nordlys-tracker.com/privacy-policy').first().waitFor();
  await reviewPage.getByText('Submission 1: rejected').click();
  await reviewPage.getByText('Repair the link to the privacy policy.').waitFor();
});

test.each(['light', 'dark'] as const)(
  'the pages have no serious accessibility finding in %s colours and fit 360 pixels',
  async (colorScheme) => {
    const pages = [
      ['queue', reviewPage, '/review', 'Submissions'],
      ['submission', reviewPage, new URL(reviewPage.url()).pathname, null],
      ['production', page, `/integrations/${slug}/production`, null],
    ] as const;
    for (const [label, each, path] of pages) {
      await each.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await each.setViewportSize({ width: 1280, height: 900 });
      await each.goto(path);
      await each.getByText(name).first().waitFor();
      await each.waitForLoadState('networkidle');
      expect(await accessibilityFindings(each, colorScheme === 'dark' ? ['color-contrast'] : undefined)).toEqual([]);
      await keepScreenshot(each, `${label}-${colorScheme}-1280`);
      await each.setViewportSize({ width: 360, height: 900 });
      expect(await overflow(each)).toBe(0);
      await keepScreenshot(each, `${label}-${colorScheme}-360`);
      await each.setViewportSize({ width: 1280, height: 900 });
    }
    await openSubmission(reviewPage, name);
  },
  180_000,
);

test('the reviewer meets every item and approves; the owner’s page goes on to production by itself', async () => {
  await page.goto(`/integrations/${slug}/production`);
  await page.getByRole('heading', { name: 'Review of submission 2' }).waitFor();
  await confirmInBrowser(reviewPage, staff);
  expect(await reviewPage.evaluate<boolean>('document.documentElement.scrollHeight <= window.innerHeight')).toBe(true);
  // Nine points and the decision are eleven keys.
  for (const _ of reviewItems) await reviewPage.keyboard.press('m');
  await reviewPage.getByText(`${reviewItems.length} of ${reviewItems.length}`).waitFor();
  expect(await reviewPage.getByText('You can approve once').count()).toBe(0);
  // What was written to reject is kept for that, and is not sent along with an approval.
  await reviewPage.keyboard.press('r');
  const dialog = reviewPage.getByRole('dialog');
  await dialog.getByLabel('What needs to change').fill('The credit is too small.');
  await dialog.getByRole('button', { name: 'Keep reviewing' }).click();
  await dialog.waitFor({ state: 'detached' });
  await reviewPage.keyboard.press('a');
  await dialog.getByRole('button', { name: 'Approve this version' }).and(reviewPage.locator(':focus')).waitFor();
  expect(await dialog.getByLabel('Note for the owner (optional)').inputValue()).toBe('');
  const unknown = dialog.getByRole('status').filter({ hasText: /^\d+ of 14 could not be checked/ });
  expect(await unknown.innerText()).toContain('Answer of the linking page');
  await reviewPage.keyboard.press('Escape');
  await reviewPage.keyboard.press('a');
  await reviewPage.getByRole('dialog').getByRole('button', { name: 'Approve this version' }).and(reviewPage.locator(':focus')).waitFor();
  await reviewPage.keyboard.press('Enter');
  await reviewPage.getByText(`${name} is approved.`).waitFor();
  const lines = await application.rows("select 1 from audit_entry where action = 'submission.verdicts_given'");
  expect(lines).toHaveLength(2);
  await page.getByRole('heading', { name: 'Activation' }).waitFor({ timeout: patient(30_000) });
  await page.getByRole('button', { name: 'Activate for production' }).waitFor();
  await page.getByText('2 closed submissions').click();
  await page.getByText('Submission 2: approved').waitFor();
  await keepScreenshot(page, 'production-approved-1280');
});

test('a decided submission leaves the queue and stands among the approved', async () => {
  await reviewPage.goto('/review');
  await reviewPage.getByText('Nothing is waiting for review.').waitFor();
  expect(await reviewPage.getByText(/Press Enter/).count()).toBe(0);
  await reviewPage.getByRole('link', { name: 'Decided 2' }).click();
  await reviewPage.getByRole('columnheader', { name: 'Decided' }).waitFor();
  await reviewPage.getByRole('combobox', { name: 'Decision' }).selectOption('approved');
  await reviewPage.waitForURL(/ended=approved/);
  await reviewPage.getByRole('row', { name: /Rejected/ }).waitFor({ state: 'detached' });
  expect(await reviewPage.getByRole('link', { name }).count()).toBe(1);
});

test('reviewers search their lists by a part of a name or slug; an owner’s address finds nothing and stands in no address', async () => {
  const search = reviewPage.getByRole('textbox', { name: 'Search' });
  await reviewPage.goto('/review?tab=decided');
  await search.fill('dlys tra');
  await reviewPage.waitForURL('**/review?tab=decided&search=dlys+tra');
  await reviewPage.getByRole('link', { name }).first().waitFor();
  await keepEveryScreenshot(reviewPage, 'review-search');
  await search.fill(owner.email);
  await reviewPage.getByText('No submissions match.').waitFor();
  expect(reviewPage.url()).not.toMatch(/search=|example/);
  await keepEveryScreenshot(reviewPage, 'review-no-match');
  for (const [path, none, unmatched] of [
    ['/review/business-models', 'No changes have been reported.', 'No reports match this search.'],
    ['/review/revisions', 'No profile has changed since approval.', 'No minor revisions match this search.'],
  ] as const) {
    await reviewPage.goto(path);
    await reviewPage.getByText(none).waitFor();
    await search.fill('never-heard-of');
    await reviewPage.getByText(unmatched).waitFor();
    await keepEveryScreenshot(reviewPage, path.replaceAll('/', '-').slice(1));
  }
  expect(await accessibilityFindings(reviewPage)).toEqual([]);
});

test('another’s submission, and the queue for someone who is no reviewer, show nothing', async () => {
  const stranger = await openPageAs(browser, await application.operator());
  await stranger.page.goto('/review');
  await stranger.page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await stranger.page.goto(`/integrations/${slug}/production`);
  await stranger.page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await stranger.page.context().close();
});

test('an owner withdraws a submission, with a reason once a reviewer has taken it, and can submit again', async () => {
  const integration = await owner.createIntegration({ publicName: 'Quick Board' });
  const { id: submissionId } = await submit(application, owner, integration);
  await page.goto(`/integrations/${integration.slug}/production`);
  await page.getByRole('button', { name: 'Withdraw submission' }).click();
  // A reviewer takes it while the dialog is open, which asked for no reason until then.
  await staff.must('takeSubmission', { input: { submissionId } });
  const dialog = page.getByRole('dialog', { name: 'Withdraw Quick Board from review?' });
  await dialog.getByRole('button', { name: 'Withdraw submission' }).click();
  await dialog.getByText('A reviewer has already started on this submission. Enter a reason for withdrawing it.').waitFor();
  await dialog.getByLabel('Reason').fill('The credit on the chart is not ready.');
  await keepScreenshot(page, 'withdraw-submission');
  await dialog.getByRole('button', { name: 'Withdraw submission' }).click();
  await page.getByRole('heading', { name: 'Submit again' }).waitFor();
  await page.getByText('The credit on the chart is not ready.').waitFor();
});

test('on a phone, the list of the reviewers’ tabs counts what is submitted while it is open', async () => {
  const phone = await openPageAs(browser, staff, { viewport: { width: 360, height: 780 } });
  watched.push(phone);
  await phone.page.clock.install();
  await phone.page.goto('/review');
  const unassigned = phone.page.getByRole('combobox', { name: 'Reviews' }).locator('option', { hasText: 'Unassigned' });
  const before = await unassigned.innerText();
  const other = await application.operator();
  await submit(application, other, await other.createIntegration());
  await phone.page.clock.fastForward(11_000);
  await unassigned.filter({ hasNotText: before }).waitFor({ state: 'attached' });
});

test('nothing on the way broke the content security policy or any script', () => {
  expect(watched.flatMap(({ complaints }) => complaints)).toEqual([]);
});

async function correctedProfile(version: number): Promise<Record<string, unknown>> {
  const [integration] = await application.rows<{ id: string }>('select id from integration where slug = $1', [slug]);
  return {
    integrationId: integration?.id,
    version,
    publicName: name,
    publicDescription: 'Shows people where their order is on its way.',
    purpose: 'To show a user the progress of the orders they linked.',
    legalOperatorName: 'Nordlys Software AS',
    country: 'NO',
    supportEmail: 'support@nordlys.example',
    websiteUrl: 'https://www.nordlys-tracker.com/',
    privacyPolicyUrl: 'https://www.nordlys-tracker.com/privacy-policy',
    termsOfServiceUrl: 'https://www.nordlys-tracker.com/terms',
    orderLinkingUrl: 'https://www.nordlys-tracker.com/link',
    requestedScopes: ['orders.read', 'revocations.ack'],
    pollingCadenceMinutes: 30,
    webhookModel: 'none',
  };
}
