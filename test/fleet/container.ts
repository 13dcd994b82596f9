import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { quoteForShell } from '../../src/model/shell-quoted.ts';
import { root } from '../pages.ts';

/** Why no container can be made by hand here; undefined where one can. */
export const noContainers: string | undefined =
  process.platform !== 'linux' || process.getuid?.() !== 0
    ? 'a mount namespace needs Linux and root'
    : spawnSync('unshare', ['--mount', 'true']).status !== 0
      ? 'unshare --mount does not work here'
      : undefined;

export interface Mount {
  /** A file or folder of this machine. */
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
}

export interface ContainerOptions {
  /** Whether the root is this machine's own, read-only, in place of one with nothing but the image. */
  readonly ownRoot?: boolean;
  readonly mounts: readonly Mount[];
  readonly env: Readonly<Record<string, string>>;
  readonly user: number;
  readonly workingDir: string;
  /** The program and what is typed behind it. */
  readonly command: readonly string[];
}

export interface Container {
  /** What it has printed. */
  said(): string;
  /** Resolves when it is gone; its exit code. */
  readonly ended: Promise<number | null>;
  /** Lets it drain; its exit code. */
  drain(): Promise<number | null>;
  remove(): Promise<void>;
}

/** Where the Dockerfile puts the command. */
export const mainInImage = '/opt/longshore/dist/command/main.js';

/**
 * A container without a container engine: a root of its own in a mount namespace, which is read-only but for what is mounted
 * writable, and a user without rights. The network is this machine's, so that it reaches the workspaces of a test.
 */
export function startContainer(options: ContainerOptions): Container {
  const top = mkdtempSync(join(tmpdir(), 'longshore-container-'));
  // Its processes have a namespace of their own, too: with the first of them all are gone.
  const child = spawn(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script(top, options)],
    // A group of its own: a process that changes its user is not killed with unshare.
    { env: { PATH: process.env.PATH }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      said += piece.toString();
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return {
    said: () => said,
    ended,
    async drain() {
      // unshare waits for its child, which is process 1 of the container.
      spawnSync('pkill', ['-TERM', '-P', String(child.pid)]);
      return await ended;
    },
    async remove() {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
        process.kill(-child.pid, 'SIGKILL');
      await ended;
      rmSync(top, { recursive: true, force: true });
    },
  };
}

function script(top: string, options: ContainerOptions): string {
  const at = (path: string) => quoteForShell(join(top, path));
  const { mounts, env, user, workingDir, command, ownRoot = false } = options;
  const assignments = Object.entries(env).map(([name, value]) => quoteForShell(`${name}=${value}`));
  const run = command.map(quoteForShell).join(' ');
  return [
    'set -e',
    ...(ownRoot ? machineRoot(at) : imageRoot(at)),
    ...mounts.flatMap((mount) => mountLines(mount, at, ownRoot)),
    `mount -o remount,bind,ro ${at('/')}`,
    `cd ${at('/')}`,
    `exec chroot --userspec=${user}:${user} ${at('/')} /usr/bin/env -i ${assignments.join(' ')} sh -c ${quoteForShell(`cd ${quoteForShell(workingDir)} && exec ${run}`)}`,
  ].join('\n');
}

type At = (path: string) => string;

function machineRoot(at: At): readonly string[] {
  return [`mount --rbind / ${at('/')}`, `mount -t proc proc ${at('/proc')}`];
}

/** What the image has: a system, Node, and the command in its place. */
function imageRoot(at: At): readonly string[] {
  const bind = (source: string, target: string) => [
    `mkdir -p ${at(target)}`,
    `mount --rbind ${quoteForShell(source)} ${at(target)}`,
  ];
  const links = ['bin', 'sbin', 'lib', 'lib64'].filter((name) => existsSync(`/${name}`));
  const prefix = dirname(dirname(process.execPath));
  const image = dirname(dirname(dirname(mainInImage)));
  return [
    `mount -t tmpfs tmpfs ${at('/')}`,
    ...['/usr', '/etc', '/dev'].flatMap((path) => bind(path, path)),
    ...links.map((name) => `ln -s usr/${name} ${at(name)}`),
    ...(prefix === '/usr' ? [] : bind(prefix, prefix)),
    `mkdir -p ${at('/proc')}`,
    `mount -t proc proc ${at('/proc')}`,
    ...bind(join(root, 'dist'), join(image, 'dist')),
    // In a worktree this is a link.
    ...bind(`${join(root, 'node_modules')}/.`, join(image, 'node_modules')),
    `cp ${quoteForShell(join(root, 'package.json'))} ${at(image)}`,
  ];
}

function mountLines({ source, target, readOnly }: Mount, at: At, ownRoot: boolean): readonly string[] {
  const folder = statSync(source).isDirectory();
  const point = folder
    ? [`mkdir -p ${at(target)}`]
    : [`mkdir -p ${at(dirname(target))}`, `[ -e ${at(target)} ] || touch ${at(target)}`];
  return [
    ...(ownRoot ? [] : point),
    `mount --bind ${quoteForShell(source)} ${at(target)}`,
    ...(readOnly ? [`mount -o remount,bind,ro ${at(target)}`] : []),
  ];
}

/** An empty folder that a container may fill. */
export function emptyFolder(path: string, mode = 0o777): string {
  mkdirSync(path, { recursive: true });
  spawnSync('chmod', [mode.toString(8), path]);
  return path;
}
