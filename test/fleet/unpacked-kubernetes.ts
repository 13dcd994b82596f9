import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { type ContainerOptions, emptyFolder, type Mount, mainInImage } from './container.ts';

const keyPath = z.object({ key: z.string(), path: z.string() });
const items = z.array(keyPath).optional();
const configMapVolume = z.object({ name: z.string(), items });
const volumeSchema = z.strictObject({
  name: z.string(),
  configMap: configMapVolume.optional(),
  secret: z.object({ secretName: z.string(), items }).optional(),
  projected: z
    .object({
      sources: z.array(
        z.strictObject({ configMap: configMapVolume.optional(), secret: configMapVolume.optional() }),
      ),
    })
    .optional(),
  emptyDir: z.object({ sizeLimit: z.string().optional() }).optional(),
  persistentVolumeClaim: z.object({ claimName: z.string() }).optional(),
});
const containerSchema = z.object({
  args: z.array(z.string()),
  env: z.array(
    z.strictObject({
      name: z.string(),
      value: z.string().optional(),
      valueFrom: z
        .object({
          secretKeyRef: z.object({ name: z.string(), key: z.string(), optional: z.boolean().optional() }),
        })
        .optional(),
    }),
  ),
  volumeMounts: z.array(
    z.strictObject({
      name: z.string(),
      mountPath: z.string(),
      subPath: z.string().optional(),
      readOnly: z.boolean().optional(),
    }),
  ),
});
const deploymentSchema = z.object({
  kind: z.literal('Deployment'),
  spec: z.object({
    template: z.object({
      spec: z.object({
        securityContext: z.object({ runAsUser: z.int(), fsGroup: z.int() }),
        containers: z.tuple([containerSchema]),
        volumes: z.array(volumeSchema),
      }),
    }),
  }),
});
const configMapSchema = z.object({
  kind: z.literal('ConfigMap'),
  metadata: z.object({ name: z.string() }),
  data: z.record(z.string(), z.string()),
});
const secretSchema = z.object({
  kind: z.literal('Secret'),
  metadata: z.object({ name: z.string() }),
  data: z.record(z.string(), z.base64()),
});

type Texts = ReadonlyMap<string, string>;

export interface Unpacked {
  /** The manifests of the workers. */
  readonly manifests: string;
  /** The manifests of the secrets, as kubectl has written them. */
  readonly secrets: string;
  /** The folder of this machine that each claim is bound to. */
  readonly claims: Readonly<Record<string, string>>;
  /** Where the volumes are laid out. */
  readonly folder: string;
}

/** What a kubelet makes of the manifests of the workers: their volumes in a folder, and a pod as a container. */
export function unpackPod({ manifests, secrets, claims, folder }: Unpacked): ContainerOptions {
  const objects = [manifests, secrets].flatMap((text) =>
    parseAllDocuments(text).map((document): unknown => document.toJS()),
  );
  const named = <T extends { metadata: { name: string } }>(schema: z.ZodType<T>, name: string): T => {
    for (const object of objects) {
      const { success, data } = schema.safeParse(object);
      if (success && data.metadata.name === name) return data;
    }
    throw new Error(`no such object: ${name}`);
  };
  const texts = (name: string): Texts => new Map(Object.entries(named(configMapSchema, name).data));
  const secretTexts = (name: string): Texts =>
    new Map(
      Object.entries(named(secretSchema, name).data).map(([key, value]) => [
        key,
        Buffer.from(value, 'base64').toString(),
      ]),
    );
  const pod = objects
    .map((object) => deploymentSchema.safeParse(object))
    .flatMap(({ data }) => data?.spec.template.spec ?? []);
  const [spec] = pod;
  if (spec === undefined) throw new Error('there is no Deployment');
  const { fsGroup, runAsUser } = spec.securityContext;
  const lay = ({ name, ...volume }: z.output<typeof volumeSchema>): string => {
    const place = join(folder, name);
    if (volume.persistentVolumeClaim !== undefined) {
      const bound = claims[volume.persistentVolumeClaim.claimName];
      if (bound === undefined) throw new Error(`no claim ${volume.persistentVolumeClaim.claimName}`);
      return bound;
    }
    emptyFolder(place, volume.emptyDir === undefined ? 0o755 : 0o2777);
    if (volume.configMap !== undefined) write(place, texts(volume.configMap.name), volume.configMap.items);
    if (volume.secret !== undefined)
      write(place, secretTexts(volume.secret.secretName), volume.secret.items, fsGroup);
    for (const { configMap, secret } of volume.projected?.sources ?? []) {
      if (configMap !== undefined) write(place, texts(configMap.name), configMap.items);
      if (secret !== undefined) write(place, secretTexts(secret.name), secret.items, fsGroup);
    }
    return place;
  };
  const written = new Set(
    spec.volumes.flatMap((volume) =>
      volume.emptyDir === undefined && volume.persistentVolumeClaim === undefined ? [] : [volume.name],
    ),
  );
  const places = new Map(spec.volumes.map((volume) => [volume.name, lay(volume)]));
  const [container] = spec.containers;
  const mounts = container.volumeMounts.map(({ name, mountPath, subPath, readOnly = false }): Mount => {
    const place = places.get(name);
    if (place === undefined) throw new Error(`no volume ${name}`);
    return {
      source: subPath === undefined ? place : join(place, subPath),
      target: mountPath,
      // A kubelet mounts what comes from objects read-only.
      readOnly: readOnly || !written.has(name),
    };
  });
  const env: Record<string, string> = {};
  for (const { name, value, valueFrom } of container.env) {
    const { secretKeyRef } = valueFrom ?? {};
    const secret = secretKeyRef && secretTexts(secretKeyRef.name).get(secretKeyRef.key);
    if (secretKeyRef !== undefined && secret === undefined && secretKeyRef.optional !== true)
      throw new Error(`no ${secretKeyRef.key} in the secret ${secretKeyRef.name}`);
    const found = secret ?? value;
    if (found !== undefined) env[name] = found;
  }
  const expanded = (text: string) =>
    text.replaceAll(/\$\$|\$\(([^)]*)\)/g, (whole, name: string | undefined) =>
      name === undefined ? '$' : (env[name] ?? whole),
    );
  return {
    mounts: mounts.sort((a, b) => a.target.length - b.target.length),
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...env },
    user: runAsUser,
    workingDir: '/work',
    command: [process.execPath, mainInImage, ...container.args.map(expanded)],
  };
}

/** Lays texts out as a kubelet does: each under its key, or under its path where items name one. */
function write(place: string, texts: Texts, listed: z.output<typeof items>, group = 0): void {
  for (const { key, path } of listed ?? [...texts.keys()].map((name) => ({ key: name, path: name }))) {
    const text = texts.get(key);
    if (text === undefined) throw new Error(`no key ${key}`);
    const file = join(place, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chownSync(file, 0, group);
    chmodSync(file, group === 0 ? 0o644 : 0o440);
  }
}

/** The manifests that a script of secrets pipes into `kubectl apply`. Throws with what it says where it fails. */
export function secretManifests(scriptFile: string): string {
  const { status, stdout, stderr } = spawnSync('sh', [scriptFile], {
    cwd: dirname(scriptFile),
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: dirname(scriptFile) },
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
