/** Prints a head, and gives a function that prints lines aligned under it: the first cell to the left, the others to the right. */
export function table(head) {
  const widths = head.map((title, at) => Math.max(title.length, at === 0 ? 20 : 10));
  const show = (cells) => {
    const shown = cells.map((cell, at) =>
      at === 0 || cells.length < head.length ? cell.padEnd(widths[at]) : cell.padStart(widths[at]),
    );
    console.log(`  ${shown.join('  ').trimEnd()}`);
  };
  show(head);
  return show;
}
