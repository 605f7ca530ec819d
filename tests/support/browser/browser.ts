import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import chromiumPackage from '@sparticuz/chromium';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { patient } from '../patience.ts';

/** Arguments meant for serverless machines, which crash the browser when a context is closed, or switch off what is tested here. */
const unwanted = new Set(['--single-process', '--no-zygote', '--disable-web-security', '--disable-site-isolation-trials']);

const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic', '--no-first-run'];

// A page of a test is gone before its optimized code would pay.
const unoptimized = '--js-flags=--no-maglev --no-turbofan --always-sparkplug';

// A page costs a third less when it is painted without emulating a graphics processor.
chromiumPackage.setGraphicsMode = false;

/**
 * Starts a real Chromium without a window. It comes with an npm package, so nothing is downloaded. Scripts are optimized, as for readers, only
 * on request: where time is measured.
 */
export async function launchBrowser({ optimizes = false } = {}): Promise<Browser> {
  // Otherwise each test would wait in vain for something on a page.
  if (!existsSync('dist/portal-web/index.html')) throw new Error('Build the pages first: node scripts/buildPages.mjs --unless-unchanged');
  const args = chromiumPackage.args.filter((arg) => !unwanted.has(arg) && !arg.startsWith('--headless'));
  const options = {
    executablePath: await chromiumPackage.executablePath(),
    args: [...args, ...quiet, ...(optimizes ? [] : [unoptimized])],
    headless: true,
  };
  // One start in some hundreds ends with a segmentation fault, before it has opened anything.
  return chromium.launch(options).catch(() => chromium.launch(options));
}

/** A page, and everything that it complained about: script errors, failed requests, violations of the content security policy. */
export type WatchedPage = { page: Page; complaints: string[] };

export type PageOptions = BrowserContextOptions & {
  /** Whether the reader saves data, so that no page loads the scripts of the next ones. Loading them costs as much as the page. */
  savesData?: boolean;
};

/** Opens a page in a context of its own, with nothing stored. */
export async function openPage(browser: Browser, { savesData = true, ...options }: PageOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-US', ...options });
  context.setDefaultTimeout(patient(20_000));
  const page = await context.newPage();
  if (savesData) await (await context.newCDPSession(page)).send('Emulation.setDataSaverOverride', { dataSaverEnabled: true });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  return { page, complaints };
}

/**
 * A script that puts its page into the background, as far as the page can tell. In front, what could not be read is asked for again every five
 * seconds, so on a slow machine "Try again" would be gone before the click.
 */
export const stayInBackground = "Object.defineProperty(document, 'visibilityState', { value: 'hidden' })";

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

type ViolationNode = { readonly target: readonly string[]; readonly failureSummary?: string };
type Violation = { readonly id: string; readonly impact: string | null; readonly nodes: readonly ViolationNode[] };

/** What has changed is painted within two frames: readers who prefer reduced motion, as all readers here do, see no transition. */
export const untilPainted = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))';

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Accessibility findings on the page as it is, one line each: the serious and critical findings of all rules and all findings of the rules
 * in `always`, or only the findings of the rules in `only`.
 */
export async function accessibilityFindings(page: Page, only?: readonly string[], always: readonly string[] = []): Promise<string[]> {
  const violations = await violationsOf(page, only);
  return linesOf(
    violations.filter(({ id, impact }) => only !== undefined || always.includes(id) || impact === 'serious' || impact === 'critical'),
  );
}

/** All accessibility findings on the page as it is, of any impact. */
export async function everyAccessibilityFinding(page: Page): Promise<string[]> {
  return linesOf(await violationsOf(page));
}

async function violationsOf(page: Page, only?: readonly string[]): Promise<Violation[]> {
  await page.evaluate(untilPainted);
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  // By default, axe spends most of its time describing everything that is in order, and reads all styles for a rule that is not in use.
  const options = JSON.stringify({ resultTypes: ['violations'], preload: { assets: ['media'] }, ...(only && { runOnly: only }) });
  return page.evaluate<Violation[]>(`axe.run(document, ${options}).then(({ violations }) => violations)`);
}

function linesOf(violations: readonly Violation[]): string[] {
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
  );
}
