/**
 * Lets so many changes through a sandbox, and everything else once it is opened: however slow the machine is, what works
 * there is not at its end before. `pass` is the sandbox's `onPhase`.
 */
export function gateAfter(first: number): { readonly pass: (phase: string) => Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let n = 0;
  return {
    async pass(phase) {
      if (phase === 'applied') n += 1;
      if (n > first) await opened;
    },
    open: () => open(),
  };
}
