import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { browserPath } from '../../browser/browser.ts';
import { run as inProcess } from '../../end-to-end/in-process.ts';
import { some } from '../../long.ts';
import { atStudioPage } from './studio.ts';

const places = [
  ['#/files', 'Files'],
  ['#/files/people.csv', 'Files'],
  ['#/mapping', 'Mapping'],
  ['#/mapping/mapping.yaml', 'Mapping'],
  ['#/plan', 'Plan'],
  ['#/plan/pipeline.yaml', 'Plan'],
  ['#/run', 'Run'],
  ['#/check', 'Check'],
  ['#/hand-over', 'Hand over'],
  ['#/merges', 'Merges'],
  ['#/exports', 'Exports'],
  ['#/history', 'History'],
] as const;

const languages = some(['de-AT', 'fr-CA', 'es-MX', 'pt-BR']);

test.skipIf(browserPath === undefined).each(languages)(
  'the page is in order in %s, and none of its messages is in English',
  async (locale) => {
    const { page, people, workDir, token, goTo, expectInOrder } = await atStudioPage({ rows: 30, locale });
    const { stdout } = await inProcess(['import', people.pipeline, '--work-dir', workDir, '--json'], {
      LONGSHORE_TOKEN: token,
    });
    const catalogue = catalogueOf(locale);
    expect(await page.getAttribute('html', 'lang')).toBe(locale);
    const { run } = JSON.parse(stdout);
    for (const [place, view] of [...places, [`#/run/${run}`, 'Run'], [`#/hand-over/${run}`, 'Hand over']]) {
      await goTo(place ?? '');
      const title = catalogue[view ?? ''] ?? '';
      await page.getByRole('navigation').getByRole('link', { name: title, exact: true }).waitFor();
      await page.getByRole('main').getByRole('heading').first().waitFor();
      await expectInOrder(`${place} in ${locale}`);
      const shown = (await page.innerText('main')).replace(/\s+/g, ' ');
      expect(englishMessages(catalogue).filter((message) => shown.includes(message))).toEqual([]);
    }
    await goTo('#/mapping/mapping.yaml');
    await page.getByRole('button', { name: catalogue['Show the YAML'] ?? '', exact: true }).press('Enter');
    await page.locator('.cm-content').press('Control+f');
    await page.getByRole('button', { name: catalogue['replace all'] ?? '', exact: true }).waitFor();
  },
);

function catalogueOf(locale: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(`src/studio/page/words/${locale.slice(0, 2)}.json`, 'utf8'));
}

/** The messages that are long enough to be no word of another language, and that have a translation. */
function englishMessages(catalogue: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(catalogue).flatMap(([message, translation]) =>
    message.length > 15 && !/[{<]/.test(message) && message !== translation ? [message] : [],
  );
}
