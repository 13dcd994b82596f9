import { naiveJudge } from '../../../identity/naive-evidence.ts';
import { seeded } from '../../../workspace/seeded.ts';
import { expected } from './expected.ts';
import type { HistoryPlan } from './history.ts';
import { sidesOf } from './input-people.ts';
import { drawScene } from './people.ts';

/** How often each decision of who is who occurs in histories: by the model, without playing them. */
export function decisionsIn(plans: Iterable<HistoryPlan>): ReadonlyMap<string, number> {
  const tally = new Map<string, number>();
  for (const { seed, rows, keyed, policy, scene } of plans) {
    const played = scene ?? drawScene(seeded(seed), rows, keyed);
    const sides = sidesOf(played.items);
    const pairs = sides.flatMap((one, n) => sides.slice(n + 1).map((other) => naiveJudge(one, other, 'row')));
    const ofRows = pairs.flatMap(({ line, equal }) => (equal.length > 0 ? [`rows: ${line}`] : []));
    for (const each of [...ofRows, ...expected(played, policy, 'all').decisions])
      tally.set(each, (tally.get(each) ?? 0) + 1);
  }
  return tally;
}
