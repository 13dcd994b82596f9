import { assignments } from './0001-assignments.ts';
import { journals } from './0002-journals.ts';
import { deliveries } from './0003-deliveries.ts';
import { forgotten } from './0004-forgotten.ts';
import { machines } from './0005-machines.ts';
import { operator } from './0006-operator.ts';
import { calledAt } from './0007-called-at.ts';
import { leftAt } from './0008-left-at.ts';

/** What makes the fleet's tables what this version expects, in order: never changed once released, only added to. */
export const migrations: readonly string[] = [
  assignments,
  journals,
  deliveries,
  forgotten,
  machines,
  operator,
  calledAt,
  leftAt,
];
