import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { start } from './command.ts';

const inputs: Readonly<Record<string, (path: string) => object>> = {
  'a pipe that nobody writes': (path) => {
    execFileSync('sh', ['-c', `mkfifo "${path}"`]);
    return { format: 'csv', path };
  },
  'a view that never ends': (path) => {
    const file = new Database(path);
    file.exec(
      'CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS i FROM n',
    );
    file.close();
    return { format: 'sqlite', path, table: 'v' };
  },
};

describe.skipIf(process.platform === 'win32').each(Object.entries(inputs))(
  'an input that is %s',
  (_, input) => {
    it.each(['check', 'import'])('lets %s say what it waits for, and end with SIGTERM', async (command) => {
      const own = temporaryFolder();
      const at = (name: string) => join(own.path, name);
      try {
        const mapping = { mapping: 'm', contact: { firstName: { from: 'i' }, email: { from: 'i' } } };
        writeFileSync(at('mapping.yaml'), JSON.stringify(mapping));
        const pipeline = { pipeline: 'p', import: { source: input(at('input')), mapping: 'mapping.yaml' } };
        writeFileSync(at('pipeline.yaml'), JSON.stringify(pipeline));
        const flags = ['--workspace', 'sandbox', '--work-dir', at('work')];
        const running = start([command, at('pipeline.yaml'), ...flags]);
        await new Promise<void>((resolve) => {
          let told = '';
          running.process.stderr?.on('data', (piece: Buffer) => {
            told += piece.toString();
            if (/Waiting for a program to write|Reading the view v of/.test(told)) resolve();
          });
          running.process.once('exit', () => resolve());
        });
        const killedAt = performance.now();
        running.process.kill('SIGTERM');
        expect(await running.ended).toMatchObject({ code: 143, signal: null });
        expect(performance.now() - killedAt).toBeLessThan(10_000);
      } finally {
        own.remove();
      }
    });
  },
);
