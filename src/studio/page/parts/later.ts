import { useRef } from 'preact/hooks';

/** Returns a function that runs the last given work after `ms` without another call. */
export function useDebouncedWork(ms: number): (work: () => void) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  return (work) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(work, ms);
  };
}
