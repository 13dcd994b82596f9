import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkExportFolder } from '../../../src/app/verify/folder.ts';
import {
  folderVerificationSchema,
  toFolderVerification,
} from '../../../src/app/verify/report/folder-verification.ts';
import { atExport } from '../export/exporting.ts';

const settings = { contacts: { format: 'ndjson' }, workspaceObjects: ['users', 'customFields'] };

it('says which files of an export are not as its manifest says', async () => {
  await atExport({ settings, seed: { contacts: [{ id: 1, firstName: 'Ada' }] } }, async (exporting) => {
    const { folder = '' } = await exporting.export();
    const path = join(exporting.path, 'exports', folder);
    const verify = async () =>
      folderVerificationSchema.parse(toFolderVerification(await checkExportFolder(path)));
    const whole = await verify();
    expect(whole.exitCode).toBe(0);
    expect(whole.files.map(({ verdict }) => verdict)).toEqual(['matched', 'matched', 'matched']);
    const contacts = join(path, 'contacts.ndjson');
    const text = readFileSync(contacts, 'utf8');
    writeFileSync(contacts, text.replace('Ada', 'Eve'));
    appendFileSync(join(path, 'users.ndjson'), '{}\n');
    rmSync(join(path, 'custom-fields.ndjson'));
    writeFileSync(join(path, 'notes.txt'), 'mine');
    const { files, exitCode } = await verify();
    expect(exitCode).toBe(3);
    expect(Object.fromEntries(files.map(({ name, verdict, reason }) => [name, [verdict, reason]]))).toEqual({
      'contacts.ndjson': ['different', 'its checksum is another one'],
      'users.ndjson': ['different', expect.stringMatching(/^it has [\d,]+ bytes, not [\d,]+$/)],
      'custom-fields.ndjson': ['missing', 'it is not there'],
      'notes.txt': ['notListed', null],
    });
  });
});

it('refuses a manifest that is damaged, and one that names a file elsewhere', async () => {
  await atExport({ settings }, async (exporting) => {
    const { folder = '' } = await exporting.export();
    const manifest = join(exporting.path, 'exports', folder, 'manifest.json');
    const text = readFileSync(manifest, 'utf8');
    for (const damaged of [text.slice(0, -20), text.replace('users.ndjson', '../users.ndjson')]) {
      writeFileSync(manifest, damaged);
      await expect(checkExportFolder(join(exporting.path, 'exports', folder))).rejects.toMatchObject({
        reason: 'input',
      });
    }
  });
});
