import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { emptyDraft } from '../../../portal-web/src/features/new-integration/draft.ts';
import {
  copyOf,
  parseDraft,
  pendingChanges,
  rebased,
  toRevision,
  valuesOf,
} from '../../../portal-web/src/features/profile/profileValues.ts';
import { allProfileFields, profileFields, typedInto } from '../../../server/domain/integration/profile/profileFields.ts';
import { columnName } from '../../../server/domain/shared/lifecycle.ts';
import { accessibilityFindings, launchBrowser, type WatchedPage } from '../../support/browser/browser.ts';
import { keepScreenshot } from '../../support/browser/keepScreenshot.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import type { IntegrationData, PortalClient } from '../../support/clients/portalClient.ts';
import { reviewer } from '../../support/world/reviewPath.ts';
import { confirmInBrowser, openPageAs } from '../../support/browser/signedInBrowser.ts';
import { nextProfile } from '../../support/world/profileFixtures.ts';
import { overflow } from '../../support/browser/overflow.ts';

const profile = {
  version: 3,
  publicName: 'Order Board',
  publicDescription: 'Shows orders.',
  purpose: 'Shows the owner of an order its own progress.',
  legalOperatorName: 'Order Board Ltd',
  country: 'DE',
  supportEmail: 'help@example.com',
  websiteUrl: 'https://example.com',
  privacyPolicyUrl: 'https://example.com/p',
  termsOfServiceUrl: 'https://example.com/t',
  orderLinkingUrl: 'https://example.com/l',
  donationUrl: null,
  requestedScopes: ['orders.read'],
  scopeWarnings: [],
  pollingCadenceMinutes: 15,
  webhookModel: 'none' as const,
  logo: null,
};

test('a copy takes everything but the slug, and accepts nothing', () => {
  const copy = copyOf({ slug: 'order-board', profile });
  expect(copy).toEqual({ ...emptyDraft, ...valuesOf(profile), slug: 'order-board-2', nonCommercial: false, attribution: false });
  expect(copyOf({ slug: `${'a'.repeat(37)}-bc`, profile }).slug).toBe(`${'a'.repeat(37)}-2`);
});

test('what was typed goes onto a version that was stored meanwhile, field by field', () => {
  const typed = { ...valuesOf(profile), purpose: 'Mine', requestedScopes: ['vehicles.read'] };
  const stored = valuesOf({ ...profile, purpose: 'Theirs', supportEmail: 'new@example.com' });
  expect(rebased([{ field: 'purpose' }, { field: 'requestedScopes' }], typed, stored)).toEqual({
    ...stored,
    purpose: 'Mine',
    requestedScopes: ['vehicles.read'],
  });
});

test('what saving would change is told before it is sent, without what only looks different', () => {
  const field = (name: string, revisable = true) => ({ name, label: name, consentRelevant: false, minor: false, revisable });
  const fields = ['publicName', 'donationUrl', 'requestedScopes', 'pollingCadenceMinutes'].map((name) => field(name));
  const before = { ...valuesOf(profile), requestedScopes: ['orders.read', 'shipping.read'] };
  const same = { ...before, publicName: ' Order Board ', requestedScopes: ['shipping.read', 'orders.read'], pollingCadenceMinutes: '15' };
  expect(pendingChanges(fields, before, same)).toEqual([]);
  const changed = { ...before, donationUrl: 'https://example.com/tip', requestedScopes: ['orders.read'] };
  expect(pendingChanges(fields, before, changed)).toMatchObject([
    { field: 'donationUrl', before: [], after: ['https://example.com/tip'] },
    { field: 'requestedScopes', before: ['orders.read', 'shipping.read'], after: ['orders.read'] },
  ]);
  expect(pendingChanges([field('donationUrl', false)], before, changed)).toEqual([]);
});

test('a form that a release without a field has kept does not clear it', () => {
  const present = valuesOf({ ...profile, donationUrl: 'https://example.com/tip' });
  const { donationUrl: _, ...values } = present;
  const kept: unknown = JSON.parse(JSON.stringify({ begun: { version: 3, values }, typed: { ...values, purpose: 'Mine' } }));
  const draft = parseDraft(kept, present);
  expect(draft).toEqual({ begun: { version: 3, values: present }, typed: { ...present, purpose: 'Mine' } });
  expect(toRevision(draft?.typed ?? emptyDraft, 'int_x', 3)).toMatchObject({ purpose: 'Mine', donationUrl: 'https://example.com/tip' });
});

describe('the profile page of an integration', () => {
  let application: PortalWorld;
  let browser: Browser;
  let operator: PortalClient;
  let watched: WatchedPage;
  let page: Page;
  let integration: IntegrationData;
  const shown: string[] = [];

  beforeAll(async () => {
    [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
    operator = await application.operator();
    integration = await operator.createIntegration({ publicName: 'Nordlys Tracker' });
    watched = await openPageAs(browser, operator);
    ({ page } = watched);
  });
  afterAll(async () => {
    await browser?.close();
    await application?.close();
  });

  const open = () => page.goto(`/integrations/${integration.slug}/profile`);
  /** Opens what is folded below the profile. */
  const unfold = (words: string) => page.locator('summary').filter({ hasText: words }).click();
  const version = (number: number) => page.getByRole('article', { name: `Version ${number}` });
  const setStatus = (status: string) => application.rows('update integration set status = $2 where id = $1', [integration.id, status]);
  const stored = async () => (await operator.must<IntegrationData>('integration', { slug: integration.slug })).profile;

  /** axe and the width of a narrow screen, for what the page shows now. */
  async function look(name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 1280, height: 900 });
      // The colours follow the medium by a listener; the page is painted with them a frame later.
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))');
      expect(await accessibilityFindings(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)).toEqual([]);
      await keepScreenshot(page, `${name}-${colorScheme}-1280`);
      await page.setViewportSize({ width: 360, height: 900 });
      expect(await overflow(page)).toBe(0);
      await keepScreenshot(page, `${name}-${colorScheme}-360`);
    }
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1280, height: 900 });
    shown.push(name);
  }

  test('is a tab, shows the present version and how freely it may change', async () => {
    await page.goto(`/integrations/${integration.slug}`);
    await page.getByRole('link', { name: 'Profile', exact: true }).click();
    await page.getByText('Version 1. You can change everything except the slug.').waitFor();
    await page.getByText('Public description').waitFor();
    await unfold('Version history (1)');
    await version(1).getByText('The first version.').waitFor();
    await version(1).getByText('Current').waitFor();
  });

  test('an edit is checked field by field, and its changes are shown before anything is stored', async () => {
    await page.getByRole('button', { name: 'Edit profile' }).click();
    await page.getByLabel('Public name').fill('');
    await page.getByLabel('Website').fill('http://example.com');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByText('Enter the name that users will see.').waitFor();
    await page.getByText('The address must start with https://.').waitFor();

    await page.getByLabel('Public name').fill('Nordlys Orders');
    await page.getByLabel('Website').fill('https://nordlys.example.com');
    await page.getByLabel('vehicles.read').check();
    await look('profile-edit');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('heading', { name: 'Review version 2' }).waitFor();
    const name = page.getByRole('listitem', { name: 'Public name' });
    await name.getByText('Requires consent').waitFor();
    expect(await name.locator('del').innerText()).toBe('Nordlys Tracker');
    expect(await name.locator('ins').innerText()).toBe('Nordlys Orders');
    const scopes = page.getByRole('listitem', { name: 'Scopes' });
    expect([await scopes.locator('ins').allInnerTexts(), await scopes.locator('del').count()]).toEqual([['vehicles.read'], 0]);
    await page.getByText('its test data is regenerated').waitFor();
    expect(await stored()).toMatchObject({ version: 1 });
    await look('profile-check');
  }, 240_000);

  test('saving makes the next version, current at once, with its changes in the history', async () => {
    await page.getByRole('button', { name: 'Save version 2' }).click();
    await page.getByRole('heading', { name: 'Nordlys Orders', level: 1 }).waitFor();
    await version(2).getByText('Current').waitFor();
    expect(
      await version(2)
        .getByRole('listitem')
        .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label'))),
    ).toEqual(['Public name', 'Website', 'Scopes']);
    expect(await version(1).getByText('Current').count()).toBe(0);
    expect(await stored()).toMatchObject({ version: 2, requestedScopes: ['orders.read', 'vehicles.read'] });
    await look('profile');
  }, 240_000);

  test('a text that is too long is kept whole, counted and refused where it stands', async () => {
    await page.getByRole('button', { name: 'Edit profile' }).click();
    const field = page.getByLabel('Public description');
    await field.fill('a'.repeat(501));
    expect(await field.inputValue()).toHaveLength(501);
    await page.getByText('501 of 500 characters.').waitFor();
    await page.getByText('This has 501 characters. The maximum is 500.').waitFor();
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByText('This has 501 characters. The maximum is 500.').waitFor();
    expect(await page.getByRole('heading', { name: 'Review version 3' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  test('what is typed and not saved is not left without a question', async () => {
    await page.getByRole('button', { name: 'Edit profile' }).click();
    await page.getByLabel('Purpose').fill('Being written.');
    const leave = () => page.getByRole('link', { name: 'Overview', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await leave();
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Purpose').inputValue()).toBe('Being written.');
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload({ waitUntil: 'commit', timeout: 2_000 }).catch(() => null);
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await reloaded;
    await leave();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(`**/integrations/${integration.slug}`);
    await open();
  });

  test('who edits a version that is no longer current is told, and nothing is overwritten', async () => {
    await page.getByRole('button', { name: 'Edit profile' }).click();
    await page.getByLabel('Purpose').fill('Something else.');
    await nextProfile(application, integration.id, { purpose: 'Stored elsewhere.' });
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('button', { name: 'Save version 3' }).click();
    await page.getByText('Version 3 of this profile was saved after you opened version 2.').waitFor();
    expect(await stored()).toMatchObject({ version: 3 });
    expect(
      await application.rows('select purpose from profile_version where version >= 3 and integration_id = $1', [integration.id]),
    ).toEqual([{ purpose: 'Stored elsewhere.' }]);
  });

  test('goes on from what was stored meanwhile with the changes typed so far, and the diff is against that', async () => {
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByLabel('Public description').fill('Shows orders, and when they arrive.');
    await page.getByRole('button', { name: 'Continue from version 3' }).click();
    await page.getByText('You are editing version 3.').waitFor();
    expect(await page.getByText('was saved after you opened').count()).toBe(0);
    await page.getByRole('button', { name: 'Review changes' }).click();
    const difference = page.getByRole('group', { name: 'What changes' });
    const purpose = difference.getByRole('listitem', { name: 'Purpose' });
    expect([await purpose.locator('del').innerText(), await purpose.locator('ins').innerText()]).toEqual([
      'Stored elsewhere.',
      'Something else.',
    ]);
    expect(await difference.getByRole('listitem', { name: 'Public description' }).count()).toBe(1);
    // Another logo would be another version, so it waits until the edit is over.
    expect(await page.getByRole('region', { name: 'Logo', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('region', { name: 'Logo', exact: true }).waitFor();
  });

  test('an edit that the review overtakes gives way to the frozen profile', async () => {
    await page.getByRole('button', { name: 'Edit profile' }).click();
    await page.getByRole('textbox', { name: 'Purpose' }).fill('Too late.');
    await setStatus('submitted');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('button', { name: 'Save version 4' }).click();
    await page.getByText('This version is under review').waitFor();
    expect(await page.getByRole('form', { name: 'Profile' }).count()).toBe(0);
    await setStatus('sandbox');
  });

  test('under review it is frozen, and cannot be retired', async () => {
    await setStatus('submitted');
    await open();
    await page.getByText('This version is under review').waitFor();
    expect(await page.getByRole('button', { name: 'Edit profile' }).count()).toBe(0);
    await unfold('Retire this integration');
    await page.getByText('Withdraw the submission or wait for the decision, then retire it.').waitFor();
    expect(await page.getByRole('button', { name: 'Retire this integration' }).count()).toBe(0);
  });

  test('after approval the form has the minor fields alone, and duplicating is the way on', async () => {
    await setStatus('approved');
    await application.rows('update integration set reviewed_profile_version = 3 where id = $1', [integration.id]);
    await open();
    await unfold('Version history');
    await version(3).getByText('Reviewed').waitFor();
    // What was typed when everything could change is over: “Too late.”
    expect(await page.getByText('You have unsaved changes').count()).toBe(0);
    await page.getByRole('button', { name: 'Edit profile' }).click();
    await page.getByLabel('Support email').fill('hello@example.com');
    expect(await page.getByRole('textbox', { name: 'Public name' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('listitem', { name: 'Support email' }).getByText('Minor').waitFor();
    await page.getByRole('button', { name: 'Save version 4' }).click();
    await version(4).getByText('Current').waitFor();
    await version(3).getByText('Reviewed').waitFor();
    expect(await stored()).toMatchObject({ version: 4, supportEmail: 'hello@example.com' });
  });

  test('reviewers find it among the minor revisions, with what changed', async () => {
    const reviewing = await openPageAs(browser, await reviewer(application));
    await reviewing.page.goto('/review');
    await reviewing.page.getByRole('link', { name: /^Minor revisions/ }).click();
    const revision = reviewing.page.getByRole('region', { name: 'Nordlys Orders' });
    await revision.getByText('version 4').waitFor();
    expect(await revision.locator('ins').allInnerTexts()).toEqual(['hello@example.com']);
    expect(await accessibilityFindings(reviewing.page)).toEqual([]);
    await keepScreenshot(reviewing.page, 'minor-revisions');
    await reviewing.page.context().close();
    expect(reviewing.complaints).toEqual([]);
  });

  test('a duplicate begins with the profile, is told at once of a slug that is taken, and survives a reload', async () => {
    await page.getByRole('link', { name: 'Duplicate as a new integration' }).click();
    await page.getByRole('heading', { name: 'New integration' }).waitFor();
    expect(await page.getByLabel('Public name').inputValue()).toBe('Nordlys Orders');
    expect(await page.getByLabel('Slug').inputValue()).toBe(`${integration.slug}-2`);
    const taken = page.getByText('This slug is taken or reserved. Choose another one.');
    for (const unavailable of [integration.slug, 'new']) {
      await page.getByLabel('Slug').fill(unavailable);
      await taken.waitFor({ state: 'detached' });
      await page.getByLabel('Purpose').focus();
      await taken.waitFor();
    }
    await page.getByLabel('Slug').fill(`${integration.slug}-2`);
    await page.reload();
    expect(await page.getByLabel('Slug').inputValue()).toBe(`${integration.slug}-2`);
    const boxes = ['orders.read', 'vehicles.read'].map((scope) => page.getByLabel(scope, { exact: true }));
    await page.getByLabel('I use the data non-commercially').check();
    await page.getByLabel('I follow the attribution and app-link rules').check();
    for (const box of boxes) await box.uncheck();
    await page.getByRole('button', { name: 'Create integration' }).click();
    // The first box has the focus: the error stands above it, where the reader looks.
    const error = await page.getByText('Choose at least one scope.').boundingBox();
    const first = await boxes[0]?.boundingBox();
    expect(error?.y).toBeLessThan(first?.y ?? 0);
    for (const box of boxes) await box.check();
    await page.getByRole('button', { name: 'Create integration' }).click();
    await page.waitForURL(new RegExp(`/integrations/${integration.slug}-2/certificates$`));
    const copy = await operator.must<IntegrationData>('integration', { slug: `${integration.slug}-2` });
    expect(copy).toMatchObject({ status: 'sandbox', profile: { version: 1, requestedScopes: ['orders.read', 'vehicles.read'] } });
  });

  test('what is typed into each input, to create and to edit, is stored as that field', async () => {
    const fields = allProfileFields.flatMap((field) => (typedInto(field) === null ? [] : [field]));
    const typed = (turn: string) =>
      Object.fromEntries(
        fields.map((field) => {
          const word = `${turn}-${field.toLowerCase()}`;
          return [
            field,
            { url: `https://${word}.example/page`, email: `${word}@example.com`, line: word, paragraphs: word }[
              typedInto(field)?.as ?? 'line'
            ],
          ];
        }),
      );
    const tab = await page.context().newPage();
    /** Both forms name a field by how its label begins. */
    const fill = async (values: Readonly<Record<string, string>>) => {
      for (const field of fields)
        await tab.getByRole('textbox', { name: new RegExp(`^${profileFields[field].label.slice(0, 12)}`) }).fill(values[field] ?? '');
    };
    const storedAs = async (number: number) => {
      const columns = fields.map((field) => `p.${columnName(field)} as "${field}"`).join(', ');
      const [row] = await application.rows(
        `select ${columns} from profile_version p join integration i on i.id = p.integration_id where i.slug = 'each-input' and p.version = $1`,
        [number],
      );
      return row;
    };
    await tab.goto('/integrations/new');
    await fill(typed('first'));
    await tab.getByLabel('Slug').fill('each-input');
    await tab.getByRole('combobox', { name: 'Country' }).selectOption('Norway');
    for (const box of ['I use the data non-commercially', 'I follow the attribution and app-link rules']) await tab.getByLabel(box).check();
    await tab.getByRole('button', { name: 'Create integration' }).click();
    await tab.waitForURL(/\/integrations\/each-input\/certificates$/);
    expect(await storedAs(1)).toEqual(typed('first'));
    await tab.goto('/integrations/each-input/profile');
    await tab.getByRole('button', { name: 'Edit profile' }).click();
    await fill(typed('second'));
    await tab.getByRole('button', { name: 'Review changes' }).click();
    await tab.getByRole('button', { name: 'Save version 2' }).click();
    await tab.getByText('Version 2. You can change everything except the slug.').waitFor();
    expect(await storedAs(2)).toEqual(typed('second'));
    await tab.close();
  });

  test('what is typed takes the place of what was proposed for a long text', async () => {
    // Its draft is this tab's alone.
    const tab = await page.context().newPage();
    await tab.goto('/integrations/new');
    await tab.getByLabel('Purpose').fill('Users see when their order will arrive.');
    const description = tab.getByLabel('Public description');
    expect(await description.inputValue()).toBe('Users see when their order will arrive.');
    await tab.getByLabel('Purpose').press('Tab');
    await tab.keyboard.type('A board.');
    expect(await description.inputValue()).toBe('A board.');
    await description.press('Shift+Tab');
    await tab.keyboard.press('Tab');
    await tab.keyboard.type(' It is ours.');
    expect(await description.inputValue()).toBe('A board. It is ours.');
    await tab.close();
  });

  test('the form to create an integration is read in a minute: at most 200 words, choices to open apart', async () => {
    const tab = await page.context().newPage();
    await tab.goto('/integrations/new');
    await tab.getByLabel('Public name').waitFor();
    await tab.getByText('They need not be online yet.').waitFor();
    const words = `((element) => (element.innerText.match(/[\\p{L}\\d][^\\s]*/gu) ?? []).length)`;
    const inMain = `${words}(document.querySelector('main'))`;
    const inChoices = `[...document.querySelectorAll('main select')].reduce((sum, each) => sum + ${words}(each), 0)`;
    expect(await tab.evaluate(`${inMain} - ${inChoices}`)).toBeLessThanOrEqual(200);
    await tab.close();
  });

  test('an unfinished draft is not lost to a duplicate without a question', async () => {
    await page.goto('/integrations/new');
    await page.getByLabel('Public name').fill('Half done');
    await page.goto(`/integrations/new?from=${integration.slug}`);
    await page.getByRole('heading', { name: 'You have an unfinished draft' }).waitFor();
    await look('profile-duplicate');
    await page.getByRole('button', { name: 'Continue with “Half done”' }).click();
    expect(await page.getByLabel('Public name').inputValue()).toBe('Half done');
  }, 240_000);

  test('retiring says what ends, wants the slug, and closes everything for good', async () => {
    const certificate = await operator.issuedCertificate({ ...integration, ...clientOf(integration) });
    await confirmInBrowser(page, operator);
    await open();
    await unfold('Retire this integration');
    await page.getByRole('button', { name: 'Retire this integration' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retire Nordlys Orders for good?' });
    await dialog.getByText('This cannot be undone.').waitFor();
    await look('profile-retire');
    await dialog.getByRole('button', { name: 'Retire for good' }).click();
    await dialog.getByText(`Type the slug exactly: ${integration.slug}`).waitFor();
    await dialog.getByLabel('Type the slug to confirm').fill(integration.slug);
    await dialog.getByRole('button', { name: 'Retire for good' }).click();
    await page.getByText('This integration is retired, so its profile cannot be changed.').waitFor();
    await page.getByText('Retired', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: /Edit profile|Retire/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Test data', exact: true }).click();
    await page.getByRole('heading', { name: 'The sandbox is closed' }).waitFor();
    expect(await page.getByRole('button', { name: 'Generate link code' }).count()).toBe(0);
    expect((await operator.certificates(integration.slug)).find(({ id }) => id === certificate.id)).toMatchObject({
      status: 'revoked',
      revocationReason: 'cessation_of_operation',
    });
  }, 240_000);

  test('another operator’s page is not found, nor is theirs to duplicate', async () => {
    const stranger = await openPageAs(browser, await application.operator());
    for (const path of [`/integrations/${integration.slug}/profile`, `/integrations/new?from=${integration.slug}`]) {
      await stranger.page.goto(path);
      await stranger.page.getByRole('heading', { name: 'Page not found' }).waitFor();
    }
    await stranger.page.context().close();
  });

  test('every state was looked at, and nothing broke the content security policy or any script', () => {
    expect(shown).toEqual(['profile-edit', 'profile-check', 'profile', 'profile-duplicate', 'profile-retire']);
    expect(watched.complaints).toEqual([]);
  });
});

function clientOf({ clients }: IntegrationData): { clientId: string; commonName: string } {
  return { clientId: clients[0]?.id ?? '', commonName: clients[0]?.commonName ?? '' };
}
