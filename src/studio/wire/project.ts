import type * as z from 'zod';
import type { CommandTyping } from './command.ts';
import { changeRoute, getRoute, questionRoute, uploadRoute } from './route.ts';
import type { nothing, sessionStart, upload, yamlCheck, yamlChoice, yamlText } from './schemas/project.ts';

/** A page that may ask. */
export interface Session {
  /** Goes with every request, in the header that is named below. */
  readonly token: string;
}

export const sessionHeader = 'x-longshore-session';

/** The project that the studio was started in. */
export interface Project {
  /** The name of its folder. */
  readonly name: string;
  /** Whether nothing may be changed. */
  readonly readOnly: boolean;
  /** Whether the database of a fleet is named in the studio's environment. */
  readonly hasFleet: boolean;
  readonly version: string;
  readonly typing: CommandTyping;
  /** What the studio was started with, from the project folder; null where it was the folder. */
  readonly opened: string | null;
  /** The formats of inputs, as pipelines name them. */
  readonly formats: readonly string[];
  /** What can become of a row, in the order in which it is shown. */
  readonly rowStates: readonly RowState[];
}

/** What can become of a row, in words. */
export interface RowState {
  /** As the counts of a status are called. */
  readonly state: string;
  readonly label: string;
  readonly tone: Tone;
  readonly meaning: string;
}

/** How well something is: fine, nothing to say, worth a look, bad. */
export type Tone = 'good' | 'quiet' | 'look' | 'bad';

/** A file of the project that a view can open. */
export interface ProjectFile {
  /** From the project folder, with slashes. */
  readonly path: string;
  readonly kind: 'import' | 'export' | 'mapping' | 'input';
  readonly bytes: number;
  /** ISO 8601, UTC. */
  readonly changedAt: string;
}

/** The files of the project; `more` where there are too many to list. */
export interface ProjectFiles {
  readonly files: readonly ProjectFile[];
  readonly more: boolean;
}

/** A YAML file as it is on the disk. */
export interface YamlFile {
  readonly path: string;
  readonly text: string;
  /** Of these bytes: to be sent back with a change of them. */
  readonly etag: string;
}

/** One thing that a check says of a YAML file. */
export interface YamlFinding {
  readonly verdict: 'ok' | 'wrong' | 'note';
  readonly text: string;
  /** From 1; absent where it is about the whole file. */
  readonly line?: number;
  readonly column?: number;
  readonly key?: string;
  readonly next?: string;
}

export const projectRoutes = {
  /** Exchanges the code of the printed URL, which is good once. */
  startSession: questionRoute<z.output<typeof sessionStart>, Session>('/api/session'),
  project: getRoute<z.output<typeof nothing>, Project>('/api/project'),
  files: getRoute<z.output<typeof nothing>, ProjectFiles>('/api/files'),
  /** Keeps a file in the work dir, for its owner only. */
  upload: uploadRoute<z.output<typeof upload>, ProjectFile>('/api/uploads/:name'),
  readYaml: getRoute<z.output<typeof yamlChoice>, YamlFile>('/api/yaml', { paths: ['path'] }),
  /** 409 where the file was changed since. */
  writeYaml: changeRoute<z.output<typeof yamlText>, YamlFile>('PUT', '/api/yaml', { paths: ['path'] }),
  /** What is wrong with a mapping or a pipeline, without its input. */
  checkYaml: questionRoute<z.output<typeof yamlCheck>, { readonly findings: readonly YamlFinding[] }>(
    '/api/yaml/check',
    {
      paths: ['path'],
    },
  ),
};
