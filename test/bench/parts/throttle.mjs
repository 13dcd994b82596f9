import { figure } from '../report.mjs';
import { script } from '../run/command.mjs';

const pacedPath = new URL('../run/paced-path.mjs', import.meta.url);

/** The pace on one path that everybody shares, of five requests a second, whichever way the server counts them. */
export async function measureThrottle({ throttle: { seconds, jitters } }) {
  const { result } = await script(pacedPath, { seconds, jitters });
  return jitters.flatMap((late) => {
    const cases = result.filter(({ jitter }) => jitter === late);
    const of = cases.map(({ window, share }) => `${window} window ${share.toFixed(2)}`).join(', ');
    return [
      figure({
        name: `shared path, jitter ${late} ms: share of the 5/s that it leaves`,
        rounds: cases.map(({ share }) => share),
        value: Math.min(...cases.map(({ share }) => share)),
        atLeast: 0.98,
        note: `the least of: ${of}`,
      }),
      figure({
        name: `shared path, jitter ${late} ms: answers 429`,
        rounds: cases.map(({ limited }) => limited),
        value: Math.max(...cases.map(({ limited }) => limited)),
        digits: 0,
        atMost: 0,
      }),
    ];
  });
}
