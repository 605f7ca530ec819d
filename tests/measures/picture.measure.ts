import { test } from '@jest/globals';
import { launchBrowser } from '../support/browser/browser.ts';
import { openPageAs } from '../support/browser/signedInBrowser.ts';
import { populateStates } from '../support/portals/pageStates.ts';
import { openWorld } from '../support/world/openWorld.ts';

const file = process.env['PICTURE'];

// `npm run measures -- --picture docs/images/overview.png`
(file ? test : test.skip)(
  'the picture of the README: the overview of an integration that works',
  async () => {
    const [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
    try {
      const { owner, slugs } = await populateStates(application, ['healthy']);
      const { page } = await openPageAs(browser, owner, { viewport: { width: 1280, height: 800 } });
      await page.goto(`/integrations/${slugs.healthy}`, { waitUntil: 'networkidle' });
      await page.screenshot({ path: file });
    } finally {
      await browser.close();
      await application.close();
    }
  },
  120_000,
);
