import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { readProcessRecords } from '../../../src/studio/server/processes/record.ts';
import { browserPath } from '../../browser/browser.ts';
import { atScene, contactWith } from '../../end-to-end/scene.ts';
import { twoProposals } from '../proposals.ts';
import { openPage, patienceMs } from './studio.ts';

test.skipIf(browserPath === undefined)(
  'merges are decided with the keys, kept over a reload, and applied',
  () =>
    atScene(twoProposals, async (scene) => {
      const { run } = await scene.import();
      const at = await openPage({ folder: scene.path, workDir: join(scene.path, 'work') });
      const { page, goTo, expectInOrder } = at;
      await goTo('#/merges');
      await page.getByText('Pair 1 of 2').waitFor();
      await expectInOrder('a proposed merge');

      await page.keyboard.press('e');
      await page.getByLabel('Result: E-mail').fill('no e-mail');
      await page.keyboard.press('Enter');
      await page.getByText('"no e-mail" under "email" is not valid').waitFor();
      await page.getByLabel('Result: E-mail').fill('ann.doe@example.com');
      await expectInOrder('a result that is edited');
      await page.keyboard.press('Enter');
      await page.getByText('The result is saved.').waitFor();
      await page.keyboard.press('n');
      await page.getByText('Pair 2 of 2').waitFor();
      await page.getByText('1 of 2 decided', { exact: true }).waitFor();
      await page.keyboard.press('ArrowLeft');
      await page.getByText('Pair 1 of 2').waitFor();
      await page.getByText('No, two people: leave both', { exact: true }).waitFor();
      await page.keyboard.press('y');
      await page.getByText('Pair 2 of 2').waitFor();

      // Keys that come before a decision is saved decide nothing: what they would decide was not shown yet.
      await page.keyboard.press('ArrowLeft');
      await page.getByText('Pair 1 of 2').waitFor();
      const sent = await held(page, '**/api/merges/*/decision');
      await page.keyboard.press('u');
      await page.keyboard.press('y');
      await page.keyboard.press('n');
      await page.keyboard.press('ArrowRight');
      sent.release();
      await page.getByText('Pair 1: Undecided. 0 of 2 decided.').waitFor();
      await page.getByText('Pair 1 of 2').waitFor();
      expect(sent.requests()).toBe(1);
      await page.keyboard.press('y');
      await page.getByText('Pair 2 of 2').waitFor();

      // It begins with the first that nobody has decided.
      await page.reload();
      await page.getByText('Pair 2 of 2').waitFor();
      await page.getByText('1 of 2 decided', { exact: true }).waitFor();
      await page.keyboard.press('ArrowLeft');
      await page.getByText('ann.doe@example.com').waitFor();
      await page.getByText('Yes, one person: merge', { exact: true }).waitFor();
      await page.keyboard.press('e');
      await page.getByRole('button', { name: 'Save the result' }).waitFor();
      await expectInOrder('a result that is edited, and another one that can be applied');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Apply the approved merges' }).click();
      const dialog = page.getByRole('dialog', { name: 'Apply 1 merge?' });
      await dialog.getByLabel('Token of the workspace').fill('sandbox');
      await page.keyboard.press('Enter');
      await page.waitForURL(/#\/run\/\d{8}-/);
      await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
      await goTo(`#/hand-over/${run}`);
      await page.getByText('1 of 2 questions was answered since; the others need your answer').waitFor();
      // The folder is gone after this test: first the studio notes that the command has ended.
      await vi.waitFor(
        () =>
          expect(readProcessRecords(join(at.workDir, 'studio', 'processes'))).toMatchObject([
            { exitCode: 0 },
          ]),
        patienceMs,
      );
      await page.close();
      await at.close();
      expect(scene.writes()).toEqual(['POST /contact/merge']);
      expect(contactWith(scene.sandbox, 10)).toMatchObject({ email: 'ann.doe@example.com', lastName: 'Doe' });
    }),
);

/** Requests to an address wait until they are released. */
async function held(page: Page, address: string): Promise<{ release(): void; requests(): number }> {
  let requests = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    requests += 1;
    await released;
    await route.continue();
  });
  return { release: () => release(), requests: () => requests };
}
