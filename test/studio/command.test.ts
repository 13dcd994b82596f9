import { expect, it } from 'vitest';
import { run } from '../end-to-end/command.ts';
import { some } from '../long.ts';
import { atStudio, connect, projectOfTest } from './at-studio.ts';
import { startStudio } from './start-studio.ts';

it.each(some(['SIGINT', 'SIGTERM'] as const))(
  'the command prints a link that is good once, and ends cleanly at %s',
  async (signal) => {
    const folder = projectOfTest();
    const { url, ...studio } = await startStudio(folder);
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
