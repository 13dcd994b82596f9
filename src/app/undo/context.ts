import type { JournalDatabase, UndoSelection } from '../../journal/index.ts';
import type { FieldComparator } from '../../steps/field-rules.ts';
import type { RunListener } from '../run/events.ts';
import type { StepContext } from '../run/step.ts';
import type { WrittenValueStore } from './written-values.ts';

/** The clients, files and options that the parts of one undo share. */
export interface UndoContext extends StepContext {
  readonly file: JournalDatabase;
  readonly wrote: WrittenValueStore;
  readonly rules: FieldComparator;
  readonly asked: UndoSelection;
  readonly listen: RunListener;
  /** Returns the id of the run with this number. */
  readonly idOf: (run: number) => string;
}
