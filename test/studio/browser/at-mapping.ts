import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { atStudioPage, patienceMs, type StudioPageOptions } from './studio.ts';

/** A mapping of a few people, with comments of its own. */
export const mapping = `# People of the old system.
mapping: people
key: ID   # stays the same

contact:
  # Nobody is called Unknown.
  firstName: { from: First }
  lastName: { from: Last }   # the family
  email: { from: Email }
customFields:
  Plan: { from: Plan, type: list, values: { Gold tier: gold }, allowed: [gold, silver], onInvalid: drop }
comments:
  - { name: origin, text: "Record {ID}" }
`;

const rows = `ID,First,Last,Email,Plan
1,Ada,Lovelace,ada@example.com,Gold tier
2,Bob,<b>Byte</b>,not-an-address,silver
3,Cyd,Charisse,cyd@example.com,Platinum
4,Dee,Dee,dee@example.com,Platinum
`;

interface MappingOptions extends StudioPageOptions {
  /** Of the mapping. */
  readonly text?: string;
  /** The rows of the input. */
  readonly csv?: string;
}

/** Opens the mapping in a studio, and waits until all of the page is there. */
export async function atMapping({ text = mapping, csv = rows, ...options }: MappingOptions = {}) {
  const studio = await atStudioPage(options);
  const file = join(studio.folder, 'mapping.yaml');
  writeFileSync(file, text);
  writeFileSync(join(studio.folder, 'people.csv'), csv);
  await studio.goTo('#/mapping/mapping.yaml');
  const count = csv.trimEnd().split('\n').length - 1;
  await studio.page.getByText(`All ${count} rows of the input`).waitFor();
  await studio.page.getByText(`5 columns, all ${count} rows read`).waitFor();
  const written = async (text: string) =>
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toBe(text), { timeout: patienceMs });
  return { ...studio, file, written };
}

/** Chooses a target in a field of the page, such as `Target of Last`, by its whole text. */
export async function chooseTarget(page: Page, field: string, target: string): Promise<void> {
  const input = page.getByRole('combobox', { name: field, exact: true });
  await input.fill(target);
  await input.press('Enter');
}

/** What the page says of the rows, once it has counted the present text. */
export async function countsOf(page: Page): Promise<readonly string[]> {
  await page.getByText('All 4 rows of the input').waitFor();
  const part = page.getByRole('list', { name: /Rows by outcome|Reasons/ }).getByRole('listitem');
  return (await part.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
}
