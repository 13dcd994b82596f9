import { expect, it } from 'vitest';
import { UndoOrder } from '../../src/studio/page/mapping/undo-order.ts';

/** A text whose changes are numbers. */
function textOf(order: UndoOrder) {
  const text = {
    at: 0,
    last: 0,
    canStep: (by: -1 | 1) => text.at + by >= 0 && text.at + by <= text.last,
    step(by: -1 | 1) {
      text.at += by;
    },
    change() {
      text.at += 1;
      text.last = text.at;
      order.record(text);
    },
  };
  return text;
}

it('undo and redo lead through the changes of several texts in their order', () => {
  const order = new UndoOrder();
  const [one, other] = [textOf(order), textOf(order)];
  for (const text of [one, other, one]) text.change();
  const seen = () => [one.at, other.at];
  const steps = (by: -1 | 1, count: number) =>
    Array.from({ length: count }, () => {
      order.step(by);
      return seen();
    });
  expect(steps(-1, 4)).toEqual([
    [1, 1],
    [1, 0],
    [0, 0],
    [0, 0],
  ]);
  expect(order.can(-1)).toBe(false);
  expect(steps(1, 3)).toEqual([
    [1, 0],
    [1, 1],
    [2, 1],
  ]);
  expect(order.can(1)).toBe(false);
});

it('a change ends what can be redone, and a history that has ended cannot be undone', () => {
  const order = new UndoOrder();
  const [one, other] = [textOf(order), textOf(order)];
  one.change();
  other.change();
  order.step(-1);
  one.change();
  expect(order.can(1)).toBe(false);
  order.forget(one);
  expect(order.can(-1)).toBe(false);
});
