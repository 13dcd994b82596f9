import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolveDefaultWorkDir } from '../../../src/app/run/work-dir.ts';
import { FatalError } from '../../../src/model/fatal-error.ts';
import { checkFolderTrust } from '../../../src/storage/own-folder.ts';
import { run } from '../../end-to-end/in-process.ts';
import { folder } from '../../sources/reading.ts';

const user = process.getuid?.();

/** A project with a folder two levels below, in a home of its own. */
function project() {
  const home = folder();
  const top = join(home, 'project');
  const cwd = join(top, 'a', 'b');
  mkdirSync(cwd, { recursive: true });
  return { home, top, cwd, usual: () => resolveDefaultWorkDir({ cwd, home, stated: undefined, user }) };
}

describe('the work dir', () => {
  test('is the nearest .longshore here or above', () => {
    const { top, cwd, usual } = project();
    expect(usual()).toBe('.longshore');
    mkdirSync(join(top, '.longshore'));
    expect(usual()).toBe(join('..', '..', '.longshore'));
    mkdirSync(join(cwd, '.longshore'));
    expect(usual()).toBe('.longshore');
  });

  test('is not looked for in the home folder or above it, unless that is the current one', () => {
    const { home, cwd, usual } = project();
    mkdirSync(join(home, '.longshore'));
    expect(usual()).toBe('.longshore');
    expect(resolveDefaultWorkDir({ cwd: home, home, stated: undefined, user })).toBe('.longshore');
    expect(resolveDefaultWorkDir({ cwd, home: '/nowhere', stated: undefined, user })).toBe(
      join('..', '..', '..', '.longshore'),
    );
  });

  test.skipIf(user === undefined)(
    'is not taken from a folder that everybody may write, as /tmp, or of somebody else',
    () => {
      const { home, top, cwd } = project();
      mkdirSync(join(top, '.longshore'));
      const usual = (as: number | undefined) =>
        resolveDefaultWorkDir({ cwd, home, stated: undefined, user: as });
      chmodSync(top, 0o1777);
      expect(usual(user)).toBe('.longshore');
      chmodSync(top, 0o755);
      expect(usual(user)).not.toBe('.longshore');
      expect(usual((user ?? 0) + 1)).toBe('.longshore');
      chmodSync(join(top, '.longshore'), 0o777);
      expect(usual(user)).toBe('.longshore');
    },
  );

  test('is what LONGSHORE_WORK_DIR says, before all', () => {
    const { cwd, home } = project();
    mkdirSync(join(cwd, '.longshore'));
    expect(resolveDefaultWorkDir({ cwd, home, stated: '/data/work', user })).toBe('/data/work');
  });

  test('of a folder above is used by a command below, which says so', async () => {
    const { top, cwd, home } = project();
    mkdirSync(join(top, '.longshore'), { mode: 0o700 });
    const { stderr } = await run(['runs'], { HOME: home }, undefined, cwd);
    expect(stderr).toContain(`Work dir: ${join(top, '.longshore')}\n`);
    expect(stderr).toContain(`No runs found in ${join('..', '..', '.longshore')}.`);
    const stated = await run(['runs', '--work-dir', 'w'], { HOME: home }, undefined, cwd);
    expect(stated.stderr).not.toContain('Work dir:');
    expect(stated.stderr).toMatch(/import PIPELINE --work-dir w\n/);
    const other = await run(['runs'], { HOME: home, LONGSHORE_WORK_DIR: '../w' }, undefined, cwd);
    expect(other.stderr).toContain(`Work dir: ${join(top, 'a', 'w')}\n`);
  });
});

describe.skipIf(user === undefined)('a work dir is refused, with the command that fixes it,', () => {
  const refusal = (path: string, as = user): FatalError => {
    try {
      checkFolderTrust(path, as);
    } catch (error) {
      if (error instanceof FatalError) return error;
      throw error;
    }
    throw new Error('nothing was refused');
  };

  test('where everybody may write', () => {
    const path = folder();
    chmodSync(path, 0o777);
    expect(refusal(path).next).toContain(`chmod go-w ${path}`);
  });

  test('by every command, before it reads or writes there', async () => {
    const path = folder();
    chmodSync(path, 0o777);
    for (const command of ['runs', 'status', 'resume', 'check x.yaml', 'import x.yaml']) {
      const { code, stderr } = await run([...command.split(' '), '--work-dir', path]);
      expect({ command, code, stderr }).toEqual({
        command,
        code: 2,
        stderr: expect.stringMatching(/^error: .*the work dir is not used: everybody can write to it\./),
      });
      expect(stderr).toContain(`chmod go-w ${path}`);
    }
    expect(readdirSync(path)).toEqual([]);
  });

  test('where it, or what lies in it, is somebody else’s', () => {
    const path = folder();
    if (user !== 0) expect(refusal(path, 12_345).next).toContain('chown');
    // Root may read everything anyway, and volumes often belong to it; what others may change in it is another matter.
    else expect(checkFolderTrust(path, 12_345)).toEqual([]);
  });

  test('where a link lies in it, whoever made it', () => {
    const path = folder();
    writeFileSync(join(path, 'elsewhere'), '');
    symlinkSync(join(path, 'elsewhere'), join(path, 'journal.db'));
    for (const as of [user, 0]) {
      const error = refusal(path, as);
      expect(error.message).toContain('journal.db in it is a link');
      expect(error.next).toContain(`rm ${join(path, 'journal.db')}`);
    }
  });
});

test.skipIf(user === undefined)('a work dir whose group may write is used with a warning', () => {
  const path = folder();
  expect(checkFolderTrust(path)).toEqual([]);
  chmodSync(path, 0o770);
  expect(checkFolderTrust(path)).toEqual([expect.stringContaining(`chmod go-w ${path}`)]);
});

test.skipIf(user !== 0)(
  'root is warned of a work dir of somebody else, whose files it could not keep',
  async () => {
    const path = folder();
    const { chownSync } = await import('node:fs');
    chownSync(path, 12_345, 12_345);
    expect(checkFolderTrust(path)).toEqual([expect.stringContaining('belongs to another user (12345)')]);
    expect(() => checkFolderTrust(path, 54_321)).toThrow('belongs to another user (12345)');
    writeFileSync(join(path, 'journal.db'), '');
    expect(() => checkFolderTrust(path, 12_345)).not.toThrow();
  },
);
