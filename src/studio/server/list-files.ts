import { closeSync, type Dirent, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { nonBlockingReadFlags } from '../../storage/regular-file.ts';
import type { ProjectFileList as Listed, ProjectFile } from '../wire/project.ts';
import type { ProjectPathResolver } from './project.ts';

const mostFiles = 2_000;
const deepest = 6;
/** The bytes of a YAML file that are read to detect its kind. */
const headBytes = 16_384;

/** Matches the names of files that an import can read. */
const inputs = /\.(csv|tsv|txt|json|ndjson|jsonl|xlsx|vcf|sql|sqlite|db|zip|tar|tgz|gz)$/i;

/**
 * Lists at most 2,000 pipelines, mappings and probable inputs: those in the project folder, up to six levels deep,
 * without hidden folders, node_modules and the work dir, and the uploaded files, except those that were uploaded into a
 * folder. Symbolic links are not followed.
 */
export function listProjectFiles(project: ProjectPathResolver): Listed {
  const files: ProjectFile[] = [];
  const open = [
    { folder: project.folder, depth: 0 },
    { folder: getUploadFolder(project.workDir), depth: deepest },
  ];
  for (let at = open.shift(); at !== undefined && files.length < mostFiles; at = open.shift()) {
    for (const entry of entriesOf(at.folder)) {
      const path = join(at.folder, entry.name);
      if (entry.isDirectory()) {
        if (at.depth < deepest && path !== project.workDir && isOfTheProject(entry.name))
          open.push({ folder: path, depth: at.depth + 1 });
      } else if (entry.isFile()) {
        const kind = kindOf(path, entry.name);
        if (kind !== undefined) files.push({ path: project.named(path), kind, ...readFileFacts(path) });
      }
    }
  }
  return { files: files.slice(0, mostFiles), more: files.length > mostFiles || open.length > 0 };
}

/** Returns the folder of uploaded files. */
export function getUploadFolder(workDir: string): string {
  return join(workDir, 'studio', 'uploads');
}

function isOfTheProject(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules';
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // A folder without read permission is left out.
    return [];
  }
}

/** Returns the size of a file and the time of its last change. */
export function readFileFacts(path: string): Pick<ProjectFile, 'bytes' | 'changedAt'> {
  const { size, mtime } = lstatSync(path);
  return { bytes: size, changedAt: mtime.toISOString() };
}

function kindOf(path: string, name: string): ProjectFile['kind'] | undefined {
  if (/\.ya?ml$/i.test(name)) return detectYamlKind(headOf(path));
  return inputs.test(name) ? 'input' : undefined;
}

function headOf(path: string): string {
  try {
    const descriptor = openSync(path, nonBlockingReadFlags);
    try {
      const head = Buffer.alloc(headBytes);
      return head.toString('utf8', 0, readSync(descriptor, head));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // An unreadable file is neither a pipeline nor a mapping.
    return '';
  }
}

/** Returns the kind of a YAML text by its top-level keys, without parsing it; undefined for any other YAML. */
export function detectYamlKind(text: string): 'import' | 'export' | 'mapping' | undefined {
  const has = (key: string) => new RegExp(`^(?:\\{\\s*)?["']?${key}["']?\\s*:`, 'm').test(text);
  if (has('pipeline')) return has('export') ? 'export' : 'import';
  return has('mapping') ? 'mapping' : undefined;
}
