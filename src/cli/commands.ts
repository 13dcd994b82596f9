import type { CommandDefinition } from './command.ts';
import { checkCommand } from './commands/check.ts';
import { completionCommand } from './commands/completion.ts';
import { draftCommand } from './commands/draft.ts';
import { explainCommand } from './commands/explain.ts';
import { exportCommand } from './commands/export.ts';
import { fieldsCommand } from './commands/fields.ts';
import { fleetCommand } from './commands/fleet.ts';
import { forgetCommand } from './commands/forget.ts';
import { helpCommand } from './commands/help.ts';
import { importCommand } from './commands/import.ts';
import { planCommand } from './commands/plan.ts';
import { pruneCommand } from './commands/prune.ts';
import { rehearseCommand } from './commands/rehearse.ts';
import { resumeCommand } from './commands/resume.ts';
import { retryCommand } from './commands/retry.ts';
import { runsCommand } from './commands/runs.ts';
import { sandboxCommand } from './commands/sandbox.ts';
import { scheduleCommand } from './commands/schedule.ts';
import { schemaCommand } from './commands/schema.ts';
import { statusCommand } from './commands/status.ts';
import { studioCommand } from './commands/studio.ts';
import { undoCommand } from './commands/undo.ts';
import { verifyCommand } from './commands/verify.ts';
import { workerCommand } from './commands/worker.ts';

/** All commands, in the order of the help. */
export const commands: readonly CommandDefinition[] = [
  checkCommand,
  fieldsCommand,
  draftCommand,
  planCommand,
  rehearseCommand,
  importCommand,
  exportCommand,
  resumeCommand,
  retryCommand,
  verifyCommand,
  undoCommand,
  statusCommand,
  runsCommand,
  forgetCommand,
  pruneCommand,
  scheduleCommand,
  fleetCommand,
  workerCommand,
  studioCommand,
  sandboxCommand,
  schemaCommand,
  explainCommand,
  completionCommand,
  helpCommand,
];
