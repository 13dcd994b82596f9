import { useRef } from 'preact/hooks';

/** Does the last of what it is given, once nothing more came for a while. */
export function useLater(ms: number): (work: () => void) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  return (work) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(work, ms);
  };
}
