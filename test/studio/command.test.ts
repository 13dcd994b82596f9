import { expect, it, onTestFinished, vi } from 'vitest';
import { run, start } from '../end-to-end/command.ts';
import { some } from '../long.ts';
import { atStudio, connect, projectOfTest } from './at-studio.ts';

it.each(some(['SIGINT', 'SIGTERM'] as const))(
  'the command prints a link that is good once, and ends cleanly at %s',
  async (signal) => {
    const folder = projectOfTest();
    const studio = start(['studio', '--no-open'], {}, undefined, folder);
    onTestFinished(() => void studio.process.kill('SIGKILL'));
    let said = '';
    studio.process.stdout?.on('data', (piece: Buffer) => {
      said += piece.toString();
    });
    const url = await vi.waitFor(
      () => {
        const [found] = /http:\/\/127\.0\.0\.1:\d+\/#\/open\/[\w-]{43}/.exec(said) ?? [];
        if (found === undefined) throw new Error('not yet');
        return found;
      },
      { timeout: 200_000 },
    );
    const { call } = await connect(url);
    expect((await call('project', {})).opened).toBeNull();
    await expect((await connect(url)).call('project', {})).rejects.toThrow('401');
    studio.process.kill(signal);
    expect(await studio.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  },
);

it('a port that is taken and a file that is not there are errors with what to do', async () => {
  const folder = projectOfTest();
  const { port } = await atStudio();
  const taken = await run(['studio', '--port', String(port)], {}, undefined, folder);
  expect(taken).toMatchObject({ code: 2 });
  expect(taken.stderr).toContain(`port ${port} is in use already.`);
  const missing = await run(['studio', 'nothing.yaml'], {}, undefined, folder);
  expect(missing).toMatchObject({ code: 2 });
  expect(missing.stderr).toContain('There is no file or folder nothing.yaml.');
});
