import type { OnMatch } from '../../identity/decide.ts';
import type { IdentifyBy } from '../../identity/look-up.ts';
import type { RunJournal } from '../../journal/index.ts';
import type { CustomField } from '../../model/custom-field.ts';
import type { Clock } from '../../model/ports.ts';
import type { FieldRules } from '../../operations/field-rules.ts';
import type { Workspace } from '../../workspace/index.ts';
import type { Listener } from '../events.ts';
import type { RowPool } from './pool.ts';

/** What the steps of one import share. */
export interface ImportContext {
  readonly workspace: Workspace;
  readonly journal: RunJournal;
  readonly clock: Clock;
  /** Aborted when the run must stop: no new request leaves then. */
  readonly signal: AbortSignal;
  readonly listen: Listener;
  readonly pool: RowPool;
  readonly fields: readonly CustomField[];
  readonly rules: FieldRules;
  readonly policy: { readonly onMatch: OnMatch; readonly identify: readonly IdentifyBy[] };
  readonly limits: { readonly settleMs: number; readonly attempts: number };
}
