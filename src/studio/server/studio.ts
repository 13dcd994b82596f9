import type { Invocation } from '../../app/run/command-line.ts';
import type { CommandLineContext } from '../wire/command.ts';
import type { MergeApprovalLists } from './approval-lists.ts';
import type { ImportWorkflowProgressReader } from './import-progress.ts';
import type { PreviewJobRunner } from './jobs/jobs.ts';
import type { DiffSearchCache } from './plans/filtered-lines.ts';
import type { StudioProcesses } from './processes/processes.ts';
import type { ProjectPathResolver } from './project.ts';
import type { PageSessions } from './sessions.ts';
import type { EnteredTokenStore } from './tokens.ts';
import type { TabPresence } from './yaml/tab-presence.ts';
import type { YamlWorker } from './yaml/yaml-work.ts';

/** The state that the handlers of routes share. */
export interface StudioContext {
  readonly files: ProjectPathResolver;
  readonly sessions: PageSessions;
  readonly processes: StudioProcesses;
  readonly progress: ImportWorkflowProgressReader;
  readonly jobs: PreviewJobRunner;
  readonly yaml: YamlWorker;
  readonly presence: TabPresence;
  readonly tokens: EnteredTokenStore;
  readonly filtered: DiffSearchCache;
  readonly approvals: MergeApprovalLists;
  readonly typing: CommandLineContext;
  readonly invocation: Invocation;
  readonly readOnly: boolean;
  /** The file that the studio was started with, relative to the project folder; null for a folder. */
  readonly opened: string | null;
}
