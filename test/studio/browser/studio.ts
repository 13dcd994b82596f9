import { appendFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/index.ts';
import { openStudio, type RunningStudio, type StudioOptions } from '../../../src/studio/server/index.ts';
import { axeViolations, startBrowser, views } from '../../browser/browser.ts';
import { main } from '../../end-to-end/built.ts';
import { inOrder, type People, standing, writePeople } from '../../end-to-end/people.ts';
import { usualInvocation } from '../../invocation.ts';
import { isLong } from '../../long.ts';
import { projectOfTest } from '../at-studio.ts';

/** A busy machine is slow, not wrong: what does not come within this time (ms) does not come at all. */
export const patienceMs = 200_000;

/** A studio in a browser. */
export interface OpenPage {
  readonly browser: Browser;
  readonly page: Page;
  /** Opens `#/…` of the page. */
  goTo(place: string): Promise<void>;
  /**
   * axe finds nothing at both widths and in both schemes in the long tests, in the others one after the other; and the
   * layout has no fault in any window.
   */
  expectInOrder(what: string): Promise<void>;
}

/** The same with a project of people and the workspace that its pipeline names. */
export interface StudioPage extends OpenPage {
  readonly workDir: string;
  /** The project folder: `pipeline.yaml`, `mapping.yaml`, `people.csv`. */
  readonly folder: string;
  readonly people: People;
  readonly sandbox: Sandbox;
  /** The one that the workspace takes; the studio does not have it. */
  readonly token: string;
  /** The workspace holds exactly what the people's rows ask for. */
  expectExact(): void;
}

export interface StudioPageOptions extends SandboxOptions {
  readonly rows?: number;
  /** As in the YAML. */
  readonly limits?: string;
  readonly readOnly?: boolean;
  /** The locale of the browser; British English unless set. */
  readonly locale?: string;
}

/** Opens a studio in a browser at a project of people. */
export async function atStudioPage({
  rows = 3,
  limits = '{}',
  readOnly = false,
  locale,
  ...options
}: StudioPageOptions = {}): Promise<StudioPage> {
  const folder = projectOfTest();
  const token = 'a-secret-token-of-this-test';
  const people = writePeople(folder, rows, limits);
  const sandbox = await startSandbox({ strict: true, seed: people.seed, tokens: [token], ...options });
  onTestFinished(() => sandbox.close());
  appendFileSync(people.pipeline, `  workspace: { baseUrl: '${sandbox.baseUrl}' }\n`);
  return {
    ...(await openPage({ folder, readOnly, locale })),
    ...{ folder, people, sandbox, token },
    expectExact: () => expect(inOrder(standing(sandbox))).toEqual(inOrder(people.expected)),
  };
}

/** Opens a studio at its `Run` in a browser; all of it ends with the test. */
export async function openPage({
  folder,
  workDir,
  readOnly = false,
  locale,
}: {
  readonly folder: string;
  readonly workDir?: string;
  readonly readOnly?: boolean;
  readonly locale?: string | undefined;
}): Promise<OpenPage & Pick<RunningStudio, 'workDir' | 'close'>> {
  const studio = await studioAt({ from: folder, workDir, port: 0, readOnly });
  const opened = await openLink(studio.newUrl(), locale);
  await opened.goTo('#/run');
  return { ...opened, workDir: studio.workDir, close: () => studio.close() };
}

/** Opens a studio; it ends with the test, which fails where it has warned. */
export async function studioAt(
  options: Pick<StudioOptions, 'from' | 'workDir' | 'port' | 'readOnly'>,
): Promise<RunningStudio> {
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const studio = await openStudio({ ...options, main, invocation: usualInvocation, warn });
  onTestFinished(() => studio.close());
  onTestFinished(() => expect(warnings).toEqual([]));
  return studio;
}

/** Opens the link of a studio in a browser; the test fails where the page has complained or left the machine. */
export async function openLink(url: string, locale = 'en-GB'): Promise<OpenPage> {
  const browser = await startBrowser();
  // What is still appearing has less contrast, and is not where it will be.
  const context = await browser.newContext({ locale, timezoneId: 'UTC', reducedMotion: 'reduce' });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const complaints = complaintsOf(page, `${new URL(url).origin}/`);
  onTestFinished(() => expect(complaints).toEqual([]));
  let looks = 0;
  await page.goto(url);
  await page.getByRole('navigation').first().waitFor();
  return {
    ...{ browser, page },
    async goTo(place) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, place);
    },
    async expectInOrder(what) {
      looks += 1;
      const shownAt = isLong ? views : views.filter((_, n) => n === looks % views.length);
      const before = page.viewportSize();
      for (const { width, colorScheme } of shownAt) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        const shown = `${what} at ${width}, ${colorScheme}`;
        expect(await axeViolations(page), shown).toEqual([]);
      }
      for (const size of Object.values(windows)) {
        await page.setViewportSize(size);
        expect(await layoutFaults(page), `${what} at ${size.width}`).toEqual([]);
      }
      // The steps that follow are those of a desktop, whichever view was looked at last.
      if (before !== null) await page.setViewportSize(before);
    },
  };
}

/** The windows in which every view is looked at; `zoomed` is the desktop at a zoom of 200 %. */
export const windows = {
  phone: { width: 390, height: 844 },
  zoomed: { width: 720, height: 450 },
  tablet: { width: 768, height: 1_024 },
  desktop: { width: 1_440, height: 900 },
  screen: { width: 2_560, height: 1_440 },
} as const;

/**
 * Returns what is wrong with the layout of what is shown: a page that can be scrolled sideways, a card or dialog that its
 * content sticks out of, controls that cover each other, a heading of few letters a line, and a second primary button.
 */
export async function layoutFaults(page: Page): Promise<readonly string[]> {
  return await page.evaluate(() => {
    const top = document.querySelector('dialog[open]') ?? document.body;
    const nameOf = (element: Element) => element.outerHTML.slice(0, 120);
    const seen = [...top.querySelectorAll('button, .button, select, textarea, input')].filter(
      (element) => element.checkVisibility() && !element.matches('.skip, .hidden'),
    );
    const boxes = seen.map((element) => ({
      element,
      box: element.getBoundingClientRect(),
      // What scrolls by itself, or sticks to an edge, may be over other things.
      inside: element.closest(
        '.scrolls, .table, .editor-place, .row-bar, .selected, dialog .buttons, .cm-editor',
      ),
    }));
    const covered = boxes.flatMap((one, index) =>
      boxes.slice(index + 1).flatMap((other) => {
        const [a, b] = [one.box, other.box];
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const tall = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        const isOver = one.inside === other.inside && wide > 1 && tall > 1;
        return isOver ? [`${nameOf(one.element)} and ${nameOf(other.element)} cover each other`] : [];
      }),
    );
    const primary = seen.filter((element) =>
      element.matches(
        'button:not(.quiet, .link, .plain, .choice *, :disabled, [aria-disabled="true"]), .button:not(.quiet)',
      ),
    );
    const full = [...top.querySelectorAll('section, dialog'), top].filter(
      (element) => element.scrollWidth > element.clientWidth + 1,
    );
    const squeezed = [...top.querySelectorAll('h1, h2, h3, caption, legend')].filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      return element.checkVisibility() && !element.matches('.hidden') && height > 2 * width;
    });
    return [
      ...squeezed.map((element) => `too narrow: ${nameOf(element)}`),
      ...(document.documentElement.scrollWidth > innerWidth ? ['The page can be scrolled sideways.'] : []),
      ...full.map((element) => `too wide: ${nameOf(element)}`),
      ...covered,
      ...(primary.length > 1 ? [`primary buttons: ${primary.map(nameOf).join(' and ')}`] : []),
    ];
  });
}

/** What should not be: requests that leave the studio, errors of scripts, and what the browser warns of. */
function complaintsOf(page: Page, origin: string): string[] {
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) complaints.push(`asked for ${request.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(`script error: ${error.message}`));
  page.on('console', (message) => {
    // What axe and the driver try in the frame of a report, which runs no scripts.
    if (message.text().startsWith("Blocked script execution in 'about:srcdoc'")) return;
    // A request that is refused is shown by the page itself.
    if (/^Failed to load resource/.test(message.text())) return;
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  return complaints;
}
