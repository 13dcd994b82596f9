import type { CommandTyping } from '../wire/command.ts';
import type { ApprovalLists } from './approval-lists.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { FilteredLines } from './plans/filtered-lines.ts';
import type { Processes } from './processes/processes.ts';
import type { ProjectFiles } from './project.ts';
import type { Sessions } from './sessions.ts';
import type { Tokens } from './tokens.ts';
import type { YamlWork } from './yaml/yaml-work.ts';

/** The state that the handlers of routes share. */
export interface Studio {
  readonly files: ProjectFiles;
  readonly sessions: Sessions;
  readonly processes: Processes;
  readonly jobs: Jobs;
  readonly yaml: YamlWork;
  readonly tokens: Tokens;
  readonly filtered: FilteredLines;
  readonly approvals: ApprovalLists;
  readonly typing: CommandTyping;
  readonly readOnly: boolean;
  /** The file that the studio was started with, from the project folder; null for a folder. */
  readonly opened: string | null;
}
