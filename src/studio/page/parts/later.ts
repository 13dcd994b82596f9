import { useRef } from 'preact/hooks';

/** Returns a function that runs the work of its latest call, once `ms` have passed without another call. */
export function useDebouncedWork(ms: number): (work: () => void) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  return (work) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(work, ms);
  };
}
