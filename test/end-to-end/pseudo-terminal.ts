import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/command/main.js', import.meta.url));

/** Whether this machine has what opens a terminal: Python, as building SQLite needs it anyway. */
export const hasTerminal = spawnSync('python3', ['-c', 'import pty, fcntl, termios']).status === 0;

const opener = `
import fcntl, json, os, pty, struct, sys, termios
columns, until, command = int(sys.argv[1]), sys.argv[2].encode(), sys.argv[3:]
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
    os.execvp(command[0], command)
seen = b''
while not until or until not in seen:
    try:
        read = os.read(terminal, 65536)
    except OSError:
        read = b''
    if not read:
        break
    seen += read
os.close(terminal)
status = os.waitpid(pid, 0)[1]
print(json.dumps({'text': seen.decode(), 'code': os.WEXITSTATUS(status) if os.WIFEXITED(status) else None}))
`;

/** Runs the built command on a terminal of its own, which is closed once it shows `until`; at the command's end without. */
export async function runOnTerminal(
  args: readonly string[],
  {
    columns = 80,
    until = '',
    env = {},
  }: { readonly columns?: number; readonly until?: string; readonly env?: Record<string, string> } = {},
): Promise<{ readonly text: string; readonly code: number | null }> {
  const { NO_COLOR: _, ...inherited } = process.env;
  const child = spawn('python3', ['-c', opener, String(columns), until, process.execPath, main, ...args], {
    env: { ...inherited, TERM: 'xterm', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const chunk of child.stdout) printed += String(chunk);
  return JSON.parse(printed);
}
