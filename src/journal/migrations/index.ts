import { createRuns } from './0001-runs.ts';
import { createPeople } from './0002-people.ts';
import { createAttempts } from './0003-attempts.ts';
import { createExports } from './0004-exports.ts';
import { createRetries } from './0005-retries.ts';
import { nameSources } from './0006-run-source.ts';
import { addRowIdentifier } from './0007-row-identifier.ts';
import { renameDeferred } from './0008-deferred-steps.ts';
import { addPlans } from './0009-plans.ts';
import { addSessionNow } from './0010-session-now.ts';
import { addUndo } from './0011-undo.ts';
import { addForgotten } from './0012-forgotten.ts';
import { addFill } from './0013-fill.ts';
import { addLeftBehind } from './0014-left-behind.ts';
import { addQuestions } from './0015-questions.ts';
import { addTableUses } from './0016-table-uses.ts';
import { addRunSystem } from './0017-run-system.ts';
import { addWaits } from './0018-waits.ts';
import { addSheets } from './0019-sheets.ts';

/** All migrations in order; the journal's version is how many of them it has seen. */
export const migrations: readonly string[] = [
  createRuns,
  createPeople,
  createAttempts,
  createExports,
  createRetries,
  nameSources,
  addRowIdentifier,
  renameDeferred,
  addPlans,
  addSessionNow,
  addUndo,
  addForgotten,
  addFill,
  addLeftBehind,
  addQuestions,
  addTableUses,
  addRunSystem,
  addWaits,
  addSheets,
];
