import type { Page } from 'playwright-core';

/** Keeps a picture of the whole page for a person to look at, in the folder that SCREENSHOTS names; without it does nothing. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
