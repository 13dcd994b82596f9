import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';

const looks = {
  'wide light': { width: 1280, height: 720, colorScheme: 'light' },
  'wide dark': { width: 1280, height: 720, colorScheme: 'dark' },
  'narrow light': { width: 400, height: 720, colorScheme: 'light' },
  'narrow dark': { width: 400, height: 720, colorScheme: 'dark' },
} as const;

/** The windows in which every view is looked at, in light and dark. */
const windows = {
  phone: { width: 390, height: 844 },
  tablet: { width: 768, height: 1_024 },
  desktop: { width: 1_440, height: 900 },
  screen: { width: 2_560, height: 1_440 },
} as const;

export type Look = keyof typeof looks;

/** Takes a picture of what is shown; `kept` are the looks that the documentation has, from `top` on. */
export type Camera = (name: string, kept?: readonly Look[], top?: Locator) => Promise<void>;

/** A look, and what the name of its pictures ends with. */
interface Shot {
  readonly ending: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
}

const toShot = (look: Look): Shot => ({
  ...looks[look],
  ending: look === 'wide light' ? '' : `-${look.replaceAll(' ', '-')}`,
});

const everyWindow: readonly Shot[] = Object.entries(windows).flatMap(([name, size]) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    ...size,
    colorScheme,
    ending: `-${name}-${colorScheme}`,
  })),
);

/**
 * Takes those of the documentation; with LONGSHORE_SCREENSHOTS=FOLDER every window in light and dark, whole pages or the
 * window from `top` on, into that folder. Throws where a page is wider than its window.
 */
export function cameraOf(page: Page): Camera {
  const review = process.env.LONGSHORE_SCREENSHOTS;
  const folder = review ?? fileURLToPath(new URL('../../../docs/studio', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const show = async ({ width, height, colorScheme }: Omit<Shot, 'ending'>) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
  };
  return async (name, kept = [], top) => {
    for (const shot of review === undefined ? kept.map(toShot) : everyWindow) {
      await show(shot);
      await (top ?? page.locator('body')).evaluate((element) => element.scrollIntoView());
      const path = join(folder, `${name}${shot.ending}.png`);
      const fullPage = review !== undefined && top === undefined;
      await page.screenshot({ path, fullPage, animations: 'disabled' });
      const width = await page.locator('html').evaluate((element) => element.scrollWidth);
      if (width > shot.width) throw new Error(`${path} is ${width} pixels wide, its window ${shot.width}.`);
    }
    await show(looks['wide light']);
  };
}
