import { expect, it } from 'vitest';
import { SeenItems } from '../../src/workspace/paginate.ts';

it.each([100, 10_000, 300_000])(
  'of %i items none is new a second time, and hardly any is taken for seen the first time',
  (count) => {
    const seen = new SeenItems();
    let missed = 0;
    for (let id = 0; id < count; id += 1) if (!seen.add(String(id))) missed += 1;
    expect(missed).toBeLessThan(count / 1_000);
    let again = 0;
    for (let id = 0; id < count; id += 1) if (seen.add(String(id))) again += 1;
    expect(again).toBe(0);
  },
);
