import { createRequire } from 'node:module';
import type { AxeBuilder as AxeBuilderType } from '@axe-core/playwright';
import chromiumPackage from '@sparticuz/chromium';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

// axe's ES module does not load under Jest's; its CommonJS build does.
const { AxeBuilder } = createRequire(import.meta.url)('@axe-core/playwright') as { AxeBuilder: typeof AxeBuilderType };

/** Made for serverless machines; they crash the browser on closing a context, or switch off what is tested here. */
const unwanted = new Set(['--single-process', '--no-zygote', '--disable-web-security', '--disable-site-isolation-trials']);

const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic', '--no-first-run'];

/** Starts a real Chromium, without a window. It comes with an npm package: nothing is downloaded. */
export async function launchBrowser(): Promise<Browser> {
  const args = chromiumPackage.args.filter((arg) => !unwanted.has(arg) && !arg.startsWith('--headless'));
  return chromium.launch({ executablePath: await chromiumPackage.executablePath(), args: [...args, ...quiet], headless: true });
}

/** A page, and everything that it complained about: script errors, failed requests, violations of the content security policy. */
export type WatchedPage = { page: Page; complaints: string[] };

/** Opens a page in a context of its own, with nothing stored. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  return { page, complaints };
}

type Credentials = readonly {
  credentialId: string;
  isResidentCredential: boolean;
  rpId?: string;
  privateKey: string;
  userHandle?: string;
  signCount: number;
}[];

/** What a virtual authenticator holds, to read and to replace: as if another key were plugged in, or a passkey had been synced to it. */
export type VirtualAuthenticator = { credentials(): Promise<Credentials>; hold(credentials: Credentials): Promise<void> };

/** Gives the page an authenticator that verifies its user without asking anybody, such as a laptop's fingerprint reader. */
export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async credentials() {
      return (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
    },
    async hold(credentials) {
      await session.send('WebAuthn.clearCredentials', { authenticatorId });
      for (const credential of credentials) await session.send('WebAuthn.addCredential', { authenticatorId, credential });
    },
  };
}

/** Accessibility findings of the page as it stands, one line each: the serious and critical ones of all rules, or every one of `rules`. */
export async function accessibilityFindings(page: Page, rules?: string[]): Promise<string[]> {
  // Legacy mode opens no second page for each look; it would leave out frames of other origins, and the portal has no frames.
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations
    .filter(({ impact }) => rules !== undefined || impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`));
}
