import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { type ContainerOptions, emptyFolder, type Mount, mainInImage } from './container.ts';

const volumeSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('volume'), target: z.string() }),
  z.strictObject({
    type: z.literal('bind'),
    source: z.string(),
    target: z.string(),
    read_only: z.boolean(),
    bind: z.object({ create_host_path: z.literal(false) }),
  }),
]);

const composeSchema = z.object({
  services: z.object({
    worker: z.object({
      command: z.array(z.string()),
      env_file: z.string(),
      environment: z.record(z.string(), z.string()),
      user: z.string().regex(/^\d+:\d+$/),
      read_only: z.literal(true),
      tmpfs: z.array(z.string()),
      volumes: z.array(volumeSchema),
    }),
  }),
});

/** The container that compose would start of this text: its volumes in `folder`, its files from where they are. */
export function composeContainer(text: string, beside: string, folder: string): ContainerOptions {
  const { worker } = composeSchema.parse(parse(text)).services;
  const owned = (target: string): Mount => ({
    source: emptyFolder(join(folder, target)),
    target,
    readOnly: false,
  });
  const mounts = worker.volumes.map((volume): Mount => {
    if (volume.type === 'volume') return owned(volume.target);
    const { source, target, read_only: readOnly } = volume;
    return { source: interpolated(source), target: interpolated(target), readOnly };
  });
  const temporary = worker.tmpfs.map((each) => owned(each.split(':', 1)[0] ?? each));
  return {
    mounts: [...temporary, ...mounts],
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      ...variablesIn(readFileSync(join(beside, worker.env_file), 'utf8')),
      ...worker.environment,
    },
    user: Number(worker.user.split(':', 1)[0]),
    workingDir: '/work',
    command: [process.execPath, mainInImage, ...worker.command.map(interpolated)],
  };
}

/** As compose reads a text: a doubled dollar is one, and a single one would be a variable's. */
function interpolated(text: string): string {
  return text.replaceAll(/\$(.?)/g, (whole, next: string) => {
    if (next === '$') return '$';
    throw new Error(`compose would take ${whole} for a variable: ${text}`);
  });
}

/** The variables of a file with a line for each. */
export function variablesIn(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
