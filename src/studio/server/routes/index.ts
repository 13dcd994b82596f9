import type { Handler } from '../handler.ts';
import { decisionHandlers } from './decisions.ts';
import { fleetHandlers } from './fleet.ts';
import { historyHandlers } from './history.ts';
import { inputHandlers } from './inputs.ts';
import { mappingHandlers } from './mapping.ts';
import { mergeHandlers } from './merges.ts';
import { planHandlers } from './plans.ts';
import { processHandlers } from './processes.ts';
import { projectHandlers } from './project.ts';
import { runDetailHandlers } from './run-details.ts';
import { runHandlers } from './runs.ts';
import { uploadHandlers } from './uploads.ts';
import { yamlHandlers } from './yaml.ts';

/** What answers each route, in no order. */
export const handlers: readonly Handler[] = [
  ...projectHandlers,
  ...uploadHandlers,
  ...yamlHandlers,
  ...processHandlers,
  ...runHandlers,
  ...inputHandlers,
  ...mappingHandlers,
  ...runDetailHandlers,
  ...historyHandlers,
  ...decisionHandlers,
  ...planHandlers,
  ...mergeHandlers,
  ...fleetHandlers,
];
