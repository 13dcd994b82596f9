import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { exporters } from '../../src/exporters/registry.ts';

const script = fileURLToPath(new URL('write-much.mjs', import.meta.url));

test.each(exporters.map(({ name }) => name))(
  'a disk that takes no more ends an export as %s with an error, and with nothing left open',
  async (name) => {
    // A file may grow to 256 KiB and no further.
    const limited = ['-c', 'ulimit -f 256; exec "$0" "$@"', process.execPath, script, name];
    const { stdout } = await promisify(execFile)('bash', limited);
    expect(JSON.parse(stdout)).toEqual({ failure: expect.stringMatching(/EFBIG|SQLITE_IOERR|SQLITE_FULL/) });
  },
);
