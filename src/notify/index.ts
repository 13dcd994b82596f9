export { alertEvents, chooseAlertEvent, classifyCommandResult } from './alert-event.ts';
export { type Alert, sendAlert } from './send-alert.ts';
