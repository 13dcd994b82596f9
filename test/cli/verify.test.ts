import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { verificationSchema } from '../../src/app/verify/report/verification.ts';
import { isWrite } from '../app/import/real-import.ts';
import { atSite } from './site.ts';

it('verifies the latest import, writes its files, and ends with 3 where something differs', async () => {
  await atSite({ rows: 8 }, async (site) => {
    // One of them is there already, as the row wants it.
    await site.import();
    const writes = site.sandbox.log.filter(isWrite).length;
    const first = await site.longshore(['verify', '--workspace', site.sandbox.baseUrl]);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toContain('7 contacts are as written');
    const [runId = ''] = readdirSync(join(site.workDir, 'runs')).filter((name) => !name.startsWith('.'));
    const page = join(site.workDir, 'runs', runId, 'verification.html');
    expect(readFileSync(page, 'utf8')).toContain('<h2>Signature</h2>');
    expect(statSync(page).mode & 0o777).toBe(0o600);
    // Somebody whom nobody expects takes one of them over.
    const contact = site.sandbox.contacts().at(-1);
    const response = await fetch(`${site.sandbox.baseUrl}/contact/id:${contact?.id}/conversation/status`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'close' }),
    });
    expect(response.ok).toBe(true);
    const renamed = await fetch(`${site.sandbox.baseUrl}/contact/id:${contact?.id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ firstName: 'Somebody else' }),
    });
    expect(renamed.ok).toBe(true);
    const second = await site.longshore(['verify', runId, '--json', '--workspace', site.sandbox.baseUrl]);
    expect(second.code).toBe(3);
    const verification = verificationSchema.parse(JSON.parse(second.stdout));
    expect(verification).toMatchObject({ run: runId, exitCode: 3, contacts: { different: 1, matched: 6 } });
    expect(site.sandbox.log.filter(isWrite)).toHaveLength(writes + 2);
  });
});

it('refuses a run of another workspace, an unknown share, and a work dir without imports', async () => {
  await atSite({ rows: 2 }, async (site) => {
    const none = await site.longshore(['verify']);
    expect(none).toMatchObject({ code: 2 });
    await site.import();
    const share = await site.longshore(['verify', '--sample', 'many']);
    expect(share).toMatchObject({ code: 2 });
    expect(share.stderr).toContain('--sample 5%');
    const other = await site.longshore(['verify', '--workspace', 'sandbox']);
    expect(other).toMatchObject({ code: 2 });
    expect(other.stderr).toContain('To verify it there: ');
  });
});
