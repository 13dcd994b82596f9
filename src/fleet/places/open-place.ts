import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { quoteForShell } from '../../model/shell-quoted.ts';
import type { BucketLocation as BucketPlace, StorageLocation } from '../fleet-file/places-schema.ts';
import { MachineFaultError } from '../machine-fault.ts';
import type { InputStorage, OutputStorage, ResultStorage } from './place.ts';
import type { BucketPorts } from './s3/bucket.ts';
import {
  createFolderInputStorage,
  createFolderOutputStorage,
  createFolderResultStorage,
} from './shared-folder.ts';

/** The ports of a storage, and the values of environment variables. */
export interface StoragePorts extends BucketPorts {
  readonly variable: (name: string) => string | undefined;
}

/**
 * Throws a MachineFaultError if this machine cannot read the inputs, or write the outputs or results; for a bucket,
 * only if its keys are not set or a package is missing.
 */
export async function assertStorageUsable(
  name: 'inputs' | 'outputs' | 'results',
  place: StorageLocation,
  ports: StoragePorts,
): Promise<void> {
  if (place.kind === 'bucket') {
    await openBucket(place, ports);
    return;
  }
  const { path } = place;
  try {
    accessSync(join(path, '.'), constants.X_OK | (name === 'inputs' ? constants.R_OK : constants.W_OK));
  } catch (cause) {
    const detail = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new MachineFaultError(
      'usage',
      `this machine cannot ${name === 'inputs' ? 'read' : 'write'} places.${name} (${detail}).`,
      {
        place: { file: path },
        next: `Mount it, or make the folder: mkdir -p ${quoteForShell(path)}`,
        cause,
      },
    );
  }
}

/** Opens the storage of inputs. */
export async function openInputStorage(place: StorageLocation, ports: StoragePorts): Promise<InputStorage> {
  if (place.kind === 'folder') return createFolderInputStorage(place.path);
  const bucket = await openBucket(place, ports);
  const { createS3InputStorage: s3Inputs } = await import('./s3/s3-places.ts');
  return s3Inputs(bucket, place.prefix);
}

/** Opens the storage of exports. */
export async function openOutputStorage(place: StorageLocation, ports: StoragePorts): Promise<OutputStorage> {
  if (place.kind === 'folder') return createFolderOutputStorage(place.path);
  const bucket = await openBucket(place, ports);
  const { createS3OutputStorage: s3Outputs } = await import('./s3/s3-places.ts');
  return s3Outputs(bucket, place);
}

/** Opens the storage of the runs' result files. */
export async function openResultStorage(place: StorageLocation, ports: StoragePorts): Promise<ResultStorage> {
  if (place.kind === 'folder') return createFolderResultStorage(place.path);
  const bucket = await openBucket(place, ports);
  const { createS3ResultStorage: s3Files } = await import('./s3/s3-places.ts');
  return s3Files(bucket, place);
}

async function openBucket(place: BucketPlace, ports: StoragePorts) {
  const keyOf = (name: string) => {
    const value = ports.variable(name)?.trim();
    if (value) return value;
    throw new MachineFaultError(
      'usage',
      `No key for the bucket ${place.bucket}: the environment variable ${name} is not set.`,
      {
        next: `export ${name}=…`,
      },
    );
  };
  const { BucketClient } = await loadBucket();
  const { bucket, endpoint, region, accessKeyEnv, secretKeyEnv } = place;
  const keys = { accessKeyId: keyOf(accessKeyEnv), secretAccessKey: keyOf(secretKeyEnv) };
  return new BucketClient({ bucket, endpoint, region, ...keys }, ports);
}

async function loadBucket(): Promise<typeof import('./s3/bucket.ts')> {
  try {
    return await import('./s3/bucket.ts');
  } catch (cause) {
    throw new MachineFaultError('usage', 'a bucket needs the package aws4fetch, which is not installed.', {
      next: 'npm install --include=optional',
      cause,
    });
  }
}
