import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { getCommandName, globalOptions } from '../src/cli/command.ts';
import { commands } from '../src/cli/commands.ts';
import { compileMapping, parseMapping, runMappingExamples } from '../src/mapping/index.ts';
import { loadExportPipeline, loadImportPipeline, readPipelineKind } from '../src/pipeline/index.ts';
import { allEndpoints } from '../src/workspace/endpoints/operations.ts';
import { blocksOf, layOut, pageOf, pages, root } from './pages.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { patched } from './worked-changes.ts';

/** The anchors that a page's headings make. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe.each(pages)('$file', ({ file, text }) => {
  it('links to pages and headings that are there', () => {
    const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
    const links = [...prose.matchAll(/\]\(([^)#\s]*)(?:#([^)]*))?\)/g)].filter(
      ([, path = '']) => !path.startsWith('https://'),
    );
    const broken = links.filter(([, path = '', anchor]) => {
      const target = path === '' ? join(root, file) : join(root, dirname(file), path);
      if (!existsSync(target)) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it('names commands and flags that there are', () => {
    const typed = [...text.matchAll(/^ *(?:- |run: |\$ )?(?:npx )?longshore ([a-z]+)(.*)$/gm)];
    for (const [, name = '', rest = ''] of typed) {
      const command = commands.find((each) => getCommandName(each) === name);
      expect(command, name).toBeDefined();
      const flags = [...rest.matchAll(/ --([a-z-]+)/g)].map(([, flag]) => flag);
      const known = [...Object.keys(command?.options ?? {}), ...Object.keys(globalOptions)];
      expect(flags.filter((flag) => flag !== undefined && !known.includes(flag))).toEqual([]);
    }
  });
});

it('First import says what the interface does not have, none of which it has, and the README leads there', () => {
  const [, section = ''] = pageOf('docs/first-import.md').text.split('## What the interface does not have\n');
  const [own = ''] = section.split('\n## ');
  const missing = [...own.matchAll(/^\| ([^|]+) \|/gm)].slice(1).map(([, what = '']) => what);
  expect(missing).toEqual([
    'webhooks',
    'attaching a tag to a contact',
    'a list of the tags',
    'reading comments',
    'the date when a contact was changed',
    'deleting or blocking a contact',
    'sending a message',
  ]);
  const operations = allEndpoints.map(({ operation }) => operation);
  expect(operations.filter((name) => /^(?:webhooks|tags)\.(?:list|attach)/.test(name))).toEqual([]);
  expect(operations.filter((name) => /comments?\.(?:list|read)|delete|block|send/i.test(name))).toEqual([]);
  expect(pageOf('README.md').text).toContain('docs/first-import.md#what-the-interface-does-not-have');
});

it('the scripts that pages name are there', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = pages.flatMap(({ text }) =>
    [...text.matchAll(/\bnpm run (?:--silent )?([a-z:]+)/g)].map(([, name = '']) => name),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

describe('the YAML that pages show', () => {
  const folder = temporaryFolder();
  const shown = pages.flatMap((page) => blocksOf(page, 'yaml').map((text) => ({ file: page.file, text })));
  // Of other programs: a workflow, a pipeline of a CI server.
  const foreign = shown.filter(({ text }) => /^# \.git/.test(text));
  // Files of a fleet, and pipelines with placeholders of one, are loaded together where the page is played.
  const isOfFleet = /^(?:fleet|places):|\{workspace\}/m;
  const isPipeline = /^pipeline:/m;
  const isMapping = /^mapping:/m;
  const own = shown.filter((each) => !foreign.includes(each) && !isOfFleet.test(each.text));
  const ofPipelines = /^(?:source|policy|limits|guard|deferred|extensions|workspace|notify):/;
  const ofExports = /^filter:/;
  const pipelines = own.filter(
    ({ text }) => isPipeline.test(text) || ofPipelines.test(text) || ofExports.test(text),
  );
  const mappings = own.filter((each) => !pipelines.includes(each));

  beforeAll(() => layOut(folder.path, pages, 10));
  afterAll(() => folder.remove());

  it('is there', () => {
    expect(mappings.filter(({ text }) => isMapping.test(text)).length).toBeGreaterThanOrEqual(2);
    expect(pipelines.filter(({ text }) => isPipeline.test(text)).length).toBeGreaterThanOrEqual(3);
  });

  it.each(mappings)('$file: a mapping whose own tests pass: %#', ({ file, text }) => {
    const mapping = parseMapping(isMapping.test(text) ? text : wholeMapping(text), file);
    expect(compileMapping(mapping, {})).toBeTypeOf('function');
    const examples = runMappingExamples(mapping);
    if (isMapping.test(text)) expect(examples.length).toBeGreaterThan(0);
    expect(examples.filter(({ ok }) => !ok)).toEqual([]);
  });

  it.each(pipelines)('$file: a pipeline that loads: %#', async ({ text }) => {
    const file = join(folder.path, 'pipelines', 'shown.yaml');
    const whole = ofExports.test(text)
      ? wholeExport(text)
      : ofPipelines.test(text)
        ? wholePipeline(text)
        : text;
    writeFileSync(file, whole);
    const load = (await readPipelineKind(file)) === 'import' ? loadImportPipeline : loadExportPipeline;
    await expect(load(file)).resolves.toMatchObject({ pipeline: expect.any(String) });
  });

  it.each(foreign)('$file: YAML of another program: %#', ({ text }) => {
    expect(parse(text)).toBeTypeOf('object');
  });

  // Parts of a file are shown alone; the least that makes them whole is put around them.
  function wholeMapping(part: string): string {
    const contact =
      'contact:\n  firstName: { from: First Name, default: Unknown }\n  email: { from: Email }\n';
    return `mapping: shown\n${/^contact:/m.test(part) ? '' : contact}${part}`;
  }

  function wholePipeline(part: string): string {
    const source = /^source:/m.test(part)
      ? ''
      : 'source: { format: csv, path: ../fixtures/sample/contacts.csv }\n  ';
    const indented = part.replaceAll(/^(?=.)/gm, '  ');
    return `pipeline: shown\nimport:\n  ${source}mapping: ../mappings/sample-crm.yaml\n${indented}`;
  }

  function wholeExport(part: string): string {
    const indented = part.replaceAll(/^(?=.)/gm, '    ');
    return `pipeline: shown\nexport:\n  to: ../exports/shown\n  contacts:\n    format: csv\n${indented}`;
  }
});

describe('docs/reference', () => {
  it('is what the code says', () => {
    const { status, stderr } = spawnSync(process.execPath, ['.config/reference.mjs', '--check'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

// A build leaves the files of sources that are gone.
it('the reference pages are written from modules whose source is there', () => {
  const generator = readFileSync(join(root, '.config/reference.mjs'), 'utf8');
  const modules = [...generator.matchAll(/'\.\.\/dist\/(.+)\.js'/g)].map(([, path = '']) => path);
  expect(modules.length).toBeGreaterThan(5);
  expect(modules.filter((path) => !existsSync(join(root, 'src', `${path}.ts`)))).toEqual([]);
});

describe('docs/SECURITY.md', () => {
  const { text } = pageOf('docs/SECURITY.md');
  const lines = text.split('\n').filter((line) => /^\| (?!defended|-)/.test(line));

  it('names for every line a test that exists', () => {
    expect(lines.length).toBeGreaterThan(10);
    const missing = lines.filter((line) => {
      const tests = [...line.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
      return tests.length === 0 || tests.some((path) => !existsSync(join(root, path)));
    });
    expect(missing).toEqual([]);
  });
});

describe('docs/CONTRIBUTING.md', () => {
  const page = pageOf('docs/CONTRIBUTING.md');

  it('names files and folders that exist', () => {
    const named = [...page.text.matchAll(/`((?:src|test|docs|\.config|mappings|pipelines)\/[\w./-]*)`/g)];
    expect(named.length).toBeGreaterThan(20);
    const missing = named.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)));
    expect([...new Set(missing)]).toEqual([]);
  });

  it.each(blocksOf(page, 'diff'))('shows a diff that can be applied: %#', (diff) => {
    expect(patched(diff).size).toBeGreaterThan(0);
  });
});
