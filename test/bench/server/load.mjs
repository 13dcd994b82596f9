/**
 * How a server takes requests. Each is answered after `latency` ms ± 50 %, and by `kind`:
 * `steady` takes any number at once · `queues` works on `at` at once, and others wait for their turn · `slows` takes longer with more
 * than `at`, by the square of their number, so that it gets less done · `limits` refuses with 429 what comes beyond `at`.
 */
export function loadOf({ kind = 'steady', at = Number.POSITIVE_INFINITY, latency = 0, random }) {
  let inFlight = 0;
  let working = 0;
  let peak = 0;
  const waiting = [];

  function load({ answer, refuse, isAtOnce }) {
    if (isAtOnce) return answer();
    if (kind === 'limits' && inFlight >= at) return refuse();
    inFlight += 1;
    peak = Math.max(peak, inFlight);
    if (kind === 'queues' && working >= at) waiting.push(answer);
    else work(answer);
  }
  load.peak = () => peak;
  return load;

  function work(answer) {
    working += 1;
    const slower = kind === 'slows' ? Math.max(1, inFlight / at) ** 2 : 1;
    later(latency * (0.5 + random()) * slower, () => {
      working -= 1;
      inFlight -= 1;
      answer();
      const next = waiting.shift();
      if (next !== undefined) work(next);
    });
  }
}

function later(ms, then) {
  if (ms === 0) then();
  else setTimeout(then, ms);
}
