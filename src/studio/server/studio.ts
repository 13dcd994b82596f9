import type { Invocation } from '../../app/run/command-line.ts';
import type { CommandTyping } from '../wire/command.ts';
import type { ApprovalLists } from './approval-lists.ts';
import type { InputJobs } from './jobs/jobs.ts';
import type { FilteredLinesCache } from './plans/filtered-lines.ts';
import type { StudioProcesses } from './processes/processes.ts';
import type { ProjectFiles } from './project.ts';
import type { PageSessions } from './sessions.ts';
import type { TypedTokens } from './tokens.ts';
import type { YamlWorker } from './yaml/yaml-work.ts';

/** The state that the handlers of routes share. */
export interface StudioContext {
  readonly files: ProjectFiles;
  readonly sessions: PageSessions;
  readonly processes: StudioProcesses;
  readonly jobs: InputJobs;
  readonly yaml: YamlWorker;
  readonly tokens: TypedTokens;
  readonly filtered: FilteredLinesCache;
  readonly approvals: ApprovalLists;
  readonly typing: CommandTyping;
  readonly invocation: Invocation;
  readonly readOnly: boolean;
  /** The file that the studio was started with, from the project folder; null for a folder. */
  readonly opened: string | null;
}
