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

export type Look = keyof typeof looks;

/** Takes a picture of what is shown; `kept` are the looks that the documentation has, from `top` on. */
export type Camera = (name: string, kept?: readonly Look[], top?: Locator) => Promise<void>;

const isLook = (name: string): name is Look => name in looks;

/**
 * Takes those of the documentation; with LONGSHORE_SCREENSHOTS=FOLDER all looks, whole pages or the window from `top` on,
 * into that folder.
 */
export function cameraOf(page: Page): Camera {
  const review = process.env.LONGSHORE_SCREENSHOTS;
  const folder = review ?? fileURLToPath(new URL('../../../docs/studio', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const show = async ({ width, height, colorScheme }: (typeof looks)[Look]) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
  };
  return async (name, kept = [], top) => {
    for (const look of review === undefined ? kept : Object.keys(looks).filter(isLook)) {
      await show(looks[look]);
      await (top ?? page.locator('body')).evaluate((element) => element.scrollIntoView());
      const path = join(
        folder,
        `${look === 'wide light' ? name : `${name} ${look}`.replaceAll(' ', '-')}.png`,
      );
      await page.screenshot({
        path,
        fullPage: review !== undefined && top === undefined,
        animations: 'disabled',
      });
    }
    await show(looks['wide light']);
  };
}
