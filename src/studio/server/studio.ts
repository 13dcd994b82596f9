import type { Typing } from '../wire/command.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Processes } from './processes/processes.ts';
import type { ProjectFiles } from './project.ts';
import type { Sessions } from './sessions.ts';
import type { Tokens } from './tokens.ts';

/** What routes work with. */
export interface Studio {
  readonly files: ProjectFiles;
  readonly sessions: Sessions;
  readonly processes: Processes;
  readonly jobs: Jobs;
  readonly tokens: Tokens;
  readonly typing: Typing;
  readonly readOnly: boolean;
  /** From the project folder; null where the studio was started with a folder. */
  readonly opened: string | null;
}
