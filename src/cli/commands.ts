import type { Command } from './command.ts';
import { check } from './commands/check.ts';
import { completion } from './commands/completion.ts';
import { draftCommand } from './commands/draft.ts';
import { explainCommand } from './commands/explain.ts';
import { exportCommand } from './commands/export.ts';
import { fields } from './commands/fields.ts';
import { fleet } from './commands/fleet.ts';
import { forget } from './commands/forget.ts';
import { help } from './commands/help.ts';
import { importCommand } from './commands/import.ts';
import { plan } from './commands/plan.ts';
import { prune } from './commands/prune.ts';
import { rehearse } from './commands/rehearse.ts';
import { resume } from './commands/resume.ts';
import { retry } from './commands/retry.ts';
import { runs } from './commands/runs.ts';
import { sandbox } from './commands/sandbox.ts';
import { schedule } from './commands/schedule.ts';
import { schema } from './commands/schema.ts';
import { status } from './commands/status.ts';
import { studio } from './commands/studio.ts';
import { undo } from './commands/undo.ts';
import { verify } from './commands/verify.ts';
import { worker } from './commands/worker.ts';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  check,
  fields,
  draftCommand,
  plan,
  rehearse,
  importCommand,
  exportCommand,
  resume,
  retry,
  verify,
  undo,
  status,
  runs,
  forget,
  prune,
  schedule,
  fleet,
  worker,
  studio,
  sandbox,
  schema,
  explainCommand,
  completion,
  help,
];
