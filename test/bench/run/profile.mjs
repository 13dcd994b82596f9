// Loaded into a measured process by --import: when it ends, it writes a profile of its processor time into the file that
// BENCH_PROFILE names.
import { writeFileSync } from 'node:fs';
import inspector from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

const path = process.env.BENCH_PROFILE;
if (isMainThread && path !== undefined) {
  const session = new inspector.Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: 500 });
  session.post('Profiler.start');
  process.on('exit', () =>
    session.post('Profiler.stop', (error, result) => {
      if (error !== null) throw new Error(error.message);
      writeFileSync(path, JSON.stringify(result.profile));
    }),
  );
}
