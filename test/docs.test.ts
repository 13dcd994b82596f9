import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { commonOptions, nameOf } from '../src/cli/command.ts';
import { commands } from '../src/cli/commands.ts';

const folder = fileURLToPath(new URL('../docs', import.meta.url));
const pages = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);

/** The anchors that a page's headings make. */
function anchorsOf(page: string): readonly string[] {
  return [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe.each(pages)('docs/%s', (_, page) => {
  it('links to pages and headings that are there', () => {
    const links = [...page.matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)];
    const broken = links.filter(([, path = '', anchor]) => {
      const file = join(folder, path);
      const target = path === '' ? page : existsSync(file) ? readFileSync(file, 'utf8') : undefined;
      return target === undefined || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it('shows YAML that is YAML', () => {
    const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
    for (const text of blocks) expect(parse(text)).toBeTypeOf('object');
  });

  it('names commands and flags that there are', () => {
    const typed = [...page.matchAll(/^ *(?:- |run: |\$ )?(?:npx )?longshore ([a-z]+)(.*)$/gm)];
    for (const [, name = '', rest = ''] of typed) {
      const command = commands.find((each) => nameOf(each) === name);
      expect(command, name).toBeDefined();
      const flags = [...rest.matchAll(/ --([a-z-]+)/g)].map(([, flag]) => flag);
      const known = [...Object.keys(command?.options ?? {}), ...Object.keys(commonOptions)];
      expect(flags.filter((flag) => flag !== undefined && !known.includes(flag))).toEqual([]);
    }
  });
});
