import type * as z from 'zod';
import type { CommandLineContext } from './command.ts';
import { defineChangeRoute, defineGetRoute, definePostQueryRoute, defineUploadRoute } from './route.ts';
import type {
  checkYamlRequestSchema,
  connectRequestSchema,
  emptyRequestSchema,
  startSessionRequestSchema,
  uploadRequestSchema,
  writeYamlRequestSchema,
  yamlFileRequestSchema,
} from './schemas/project.ts';

/** The session of a page. */
export interface SessionResponse {
  /** The token that every request of the page sends in the header x-longshore-session. */
  readonly token: string;
}

export const sessionHeaderName = 'x-longshore-session';

/** The project that the studio was started in. */
export interface ProjectInfo {
  /** The absolute path of its folder, by which the page recognises the project. */
  readonly folder: string;
  /** The name of its folder. */
  readonly name: string;
  /** True if the studio was started with --read-only. */
  readonly readOnly: boolean;
  /** True if the studio's environment names the database of a fleet. */
  readonly hasFleet: boolean;
  readonly version: string;
  readonly typing: CommandLineContext;
  /** The file that the studio was started with, relative to the project folder; null for a folder. */
  readonly opened: string | null;
  /** The base URL that the page is connected to, or that the studio's environment names; null for none. */
  readonly workspace: string | null;
  /** The formats of inputs, as pipelines name them. */
  readonly formats: readonly string[];
  /** The ISO 3166-1 alpha-2 codes of all countries. */
  readonly countries: readonly string[];
  /** The states of rows, in the order of display. */
  readonly rowStates: readonly LabelledRowState[];
}

/** A state of rows, with its label and meaning. */
export interface LabelledRowState {
  /** The key of the number of rows in this state, in the status of a run. */
  readonly state: string;
  readonly label: string;
  readonly tone: Tone;
  readonly meaning: string;
}

/** The colour of a message: good, neutral, needs attention, bad. */
export type Tone = 'good' | 'quiet' | 'look' | 'bad';

/** A file of the project that a view can open. */
export interface ProjectFile {
  /** Relative to the project folder, with slashes. */
  readonly path: string;
  readonly kind: 'import' | 'export' | 'mapping' | 'input';
  readonly bytes: number;
  /** ISO 8601, UTC. */
  readonly changedAt: string;
}

/** The listed files of the project; `more` is true if some are left out. */
export interface ProjectFileList {
  readonly files: readonly ProjectFile[];
  readonly more: boolean;
}

/** The pipeline and the mapping of the sample import, relative to the project folder. */
export interface SampleImport {
  readonly pipeline: string;
  readonly mapping: string;
}

/** A YAML file as it is on disk. */
export interface YamlFile {
  readonly path: string;
  readonly text: string;
  /** The hash of the file's bytes, which a later write must send. */
  readonly etag: string;
}

/** A finding of a check of a YAML file. */
export interface YamlFinding {
  readonly verdict: 'ok' | 'wrong' | 'note';
  readonly text: string;
  /** The line, from 1; absent for a finding about the whole file. */
  readonly line?: number;
  readonly column?: number;
  readonly key?: string;
  readonly next?: string;
}

export const projectRoutes = {
  /** Exchanges the one-time code of the printed URL for a session. */
  startSession: definePostQueryRoute<z.output<typeof startSessionRequestSchema>, SessionResponse>(
    '/api/session',
  ),
  /** Connects the page to a workspace, for pipelines that name none, after one read of it as a test. */
  connect: defineChangeRoute<z.output<typeof connectRequestSchema>, Pick<ProjectInfo, 'workspace'>>(
    'POST',
    '/api/workspace',
  ),
  project: defineGetRoute<z.output<typeof emptyRequestSchema>, ProjectInfo>('/api/project'),
  files: defineGetRoute<z.output<typeof emptyRequestSchema>, ProjectFileList>('/api/files'),
  /** Adds the sample import to the project; files that are there already are kept. */
  addSample: defineChangeRoute<z.output<typeof emptyRequestSchema>, SampleImport>('POST', '/api/sample'),
  /** Stores a file in the work dir, readable for its owner only. */
  upload: defineUploadRoute<z.output<typeof uploadRequestSchema>, ProjectFile>('/api/uploads/:name'),
  readYaml: defineGetRoute<z.output<typeof yamlFileRequestSchema>, YamlFile>('/api/yaml', {
    paths: ['path'],
  }),
  /** Writes a YAML file; answers 409 if the file does not have the etag of the request any more. */
  writeYaml: defineChangeRoute<z.output<typeof writeYamlRequestSchema>, YamlFile>('PUT', '/api/yaml', {
    paths: ['path'],
  }),
  /** Returns the findings about the text of a mapping or a pipeline, without reading its input. */
  checkYaml: definePostQueryRoute<
    z.output<typeof checkYamlRequestSchema>,
    { readonly findings: readonly YamlFinding[] }
  >('/api/yaml/check', {
    paths: ['path'],
  }),
};
