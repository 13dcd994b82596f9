import type { Locator, Page } from 'playwright-core';

/** More than any page of ours has to step through. */
const mostSteps = 400;

/** Presses Tab until it has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let step = 0; step < mostSteps; step += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
  }
  throw new Error(`Tab does not lead to ${target}`);
}

/** What the focus is on, as a screen reader calls it: the first label of a field, else its text. */
export async function focusedLabel(page: Page): Promise<string> {
  return await page.evaluate<string>(
    '(document.activeElement.labels?.[0] ?? document.activeElement).innerText ?? ""',
  );
}

/** Drops files of this machine: the browser itself makes the events of it, as for a mouse. */
export async function dropFiles(page: Page, onto: Locator, files: readonly string[]): Promise<void> {
  const box = await onto.boundingBox();
  if (box === null) throw new Error(`${onto} is not in sight`);
  const browser = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await browser.send('Input.dispatchDragEvent', {
      type,
      ...{ x: box.x + box.width / 2, y: box.y + box.height / 2 },
      data: { items: [], files: [...files], dragOperationsMask: 1 },
    });
  await browser.detach();
}

/** Drops a file that is not on this machine's disk on the box for files. */
export async function dropBytes(page: Page, name: string, bytes: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ({ name, bytes }) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], name));
      return data;
    },
    { name, bytes: [...bytes] },
  );
  await page.locator('.choose').dispatchEvent('drop', { dataTransfer: transfer });
}
