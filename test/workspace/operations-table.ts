import { contactRows, conversationRows, messageRows } from './contact-operations.ts';
import type { OperationRow } from './operation-row.ts';
import { spaceRows } from './space-operations.ts';

/** Every operation of the specification, in its order. */
export const operations: readonly OperationRow[] = [
  ...contactRows,
  ...conversationRows,
  ...messageRows,
  ...spaceRows,
];
