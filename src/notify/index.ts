export { alertOccasions, chooseAlertOccasion, classifyCommandResult } from './occasion.ts';
export { type Alert, sendAlert } from './send-alert.ts';
