import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { some } from '../long.ts';

const named = process.env.LONGSHORE_TEST_BROWSER ?? onPath('chromium-headless-shell') ?? onPath('chromium');

/** A Chromium of this machine; where there is none, or the variable is empty, the tests that need one are skipped. */
export const browserPath = named === '' ? undefined : named;

function onPath(name: string): string | undefined {
  const paths = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  return paths.find((path) => existsSync(path));
}

/** Nothing of its own may leave: what a page asks for is then all there is. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the browser with an empty profile; gone after the test. */
export async function startBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error('there is no browser');
  const browser = await chromium.launch({ executablePath: browserPath, headless: true, args: flags });
  onTestFinished(() => browser.close());
  return browser;
}

/** How pages are looked at; the first two have both widths and both schemes. */
export const views = some(
  [
    { width: 1280, colorScheme: 'light' },
    { width: 400, colorScheme: 'dark' },
    { width: 1280, colorScheme: 'dark' },
    { width: 400, colorScheme: 'light' },
  ] as const,
  2,
);

/** A page of a file, opened, with every request beside its own and every error noted. */
export async function openFile(browser: Browser, path: string) {
  const address = pathToFileURL(path).href;
  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (request.url() !== address) complaints.push(`asked for ${request.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(`script error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  await page.goto(address);
  return { page, complaints };
}

/** What axe finds on a page as it is shown now, in words. */
export async function axeViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
  );
}
