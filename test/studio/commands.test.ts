import { describe, expect, it } from 'vitest';
import { getCommandName, globalOptions } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import {
  buildCommandArguments,
  formatStudioCommandLine,
  type StudioCommand,
} from '../../src/studio/wire/command.ts';
import { commandSchema } from '../../src/studio/wire/schemas/command.ts';

const here = { program: 'npx longshore', allowEnv: [] };

describe('a command is typed as', () => {
  it.each<readonly [StudioCommand, string]>([
    [{ command: 'check', pipeline: 'pipelines/mine.yaml' }, 'check pipelines/mine.yaml'],
    [
      {
        command: 'import',
        pipeline: "it's mine.yaml",
        workspace: 'sandbox',
        limit: 20,
        fresh: true,
        full: false,
      },
      "import 'it'\\''s mine.yaml' --workspace sandbox --limit 20 --fresh",
    ],
    [
      { command: 'plan', pipeline: 'p.yaml', out: 'plan.db', deferred: true },
      'plan p.yaml --out plan.db --deferred',
    ],
    [{ command: 'rehearse', pipeline: 'p.yaml', speed: '60x' }, 'rehearse p.yaml --speed 60x'],
    [{ command: 'export', pipeline: 'e.yaml', accept: true }, 'export e.yaml --accept'],
    [{ command: 'resume', run: '20260301-a' }, 'resume 20260301-a'],
    [
      { command: 'retry', run: 'r', from: 'rejects.csv', dryRun: true },
      'retry r --from rejects.csv --dry-run',
    ],
    [{ command: 'verify', run: 'r', sample: '5%' }, 'verify r --sample 5%'],
    [{ command: 'verify', folder: 'exports/2026', online: true }, 'verify exports/2026 --online'],
    [{ command: 'undo', run: 'r', deleteTags: true }, 'undo r --delete-tags --yes'],
    [{ command: 'undo', run: 'r', dryRun: true }, 'undo r --dry-run'],
    [{ command: 'fields', pipeline: 'p.yaml' }, 'fields p.yaml'],
    [{ command: 'draft', file: 'a.txt', format: 'csv' }, 'draft a.txt --format csv'],
    [{ command: 'draft', file: '-x.csv', delimiter: ';' }, "draft ./-x.csv --delimiter ';'"],
    [{ command: 'draft', file: 'a b.csv', key: '-' }, "draft 'a b.csv' --key=-"],
  ])('%j: %s', (described, line) => {
    expect(formatStudioCommandLine(described, here)).toBe(`npx longshore ${line}`);
  });

  it('what finds its work dir and its variables', () => {
    const words = buildCommandArguments(
      { command: 'resume', run: 'r' },
      { workDir: '/w d', allowEnv: ['A', 'B'] },
    );
    expect(words).toEqual(['resume', 'r', '--work-dir', '/w d', '--allow-env', 'A,B']);
  });
});

const [variants, folderOnly] = commandSchema.options;

it.each([...variants.options, folderOnly].map(({ shape }) => shape))(
  'every option of $command.value is one of that command',
  (shape) => {
    const found = commands.find((each) => getCommandName(each) === shape.command.value);
    const known = [...Object.keys(found?.options ?? {}), ...Object.keys(globalOptions)];
    const argument = [found?.argument?.[0] ?? '', 'folder'];
    const options = Object.keys(shape)
      .filter((name) => name !== 'command' && !argument.includes(name))
      .map((name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
    expect(options.filter((name) => !known.includes(name))).toEqual([]);
  },
);
