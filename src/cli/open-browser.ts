import { spawn } from 'node:child_process';

/** How a page is opened on this system; undefined where there is no desktop. */
function opener(): readonly [command: string, ...words: string[]] | undefined {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const { DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION } = process.env;
  const isHere = (DISPLAY ?? WAYLAND_DISPLAY ?? '') !== '' && (SSH_CONNECTION ?? '') === '';
  return isHere ? ['xdg-open'] : undefined;
}

/** Opens a URL in the browser as a courtesy: where that fails, the printed URL is there to be opened. */
export function openBrowser(url: string): void {
  const found = opener();
  if (found === undefined) return;
  const [command, ...words] = found;
  const child = spawn(command, [...words, url], { detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}
