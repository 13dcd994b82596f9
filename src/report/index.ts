export { buildSummary } from './build-summary.ts';
export { addToLog, startLog } from './log.ts';
export { startProgress } from './progress.ts';
export { writeRunFiles } from './run-files.ts';
export { renderRuns, runsJson } from './run-list.ts';
export { exportStatusJson, statusJson } from './run-status.ts';
export { renderStatus } from './run-status-text.ts';
export { scrubber } from './scrub.ts';
export { renderSummary } from './terminal.ts';
