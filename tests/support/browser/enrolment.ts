import type { Page } from 'playwright-core';

/** Opens the link of a registration and confirms the address. The page for the passkey follows. */
export async function confirmAddress(page: Page, token: string): Promise<void> {
  await page.goto(`/verify#token=${token}`);
  await page.getByRole('button', { name: 'Confirm this address' }).click();
}

/** Creates the passkey of an enrolment. The page with the recovery codes follows. */
export async function createPasskey(page: Page): Promise<void> {
  await page.getByLabel('Passkey name').fill('Test laptop');
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
}
