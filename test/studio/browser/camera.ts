import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { layoutFaults, windows } from './studio.ts';

const looks = {
  'wide light': { width: 1280, height: 720, colorScheme: 'light' },
  'wide dark': { width: 1280, height: 720, colorScheme: 'dark' },
  'narrow light': { width: 400, height: 720, colorScheme: 'light' },
  'narrow dark': { width: 400, height: 720, colorScheme: 'dark' },
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
 * window from `top` on, into that folder. Throws where the layout has a fault.
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
      const faults = await layoutFaults(page);
      if (faults.length > 0) throw new Error(`${path}: ${faults.join('\n')}`);
    }
    await show(looks['wide light']);
  };
}
