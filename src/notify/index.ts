export type { Alert } from './alert.ts';
export { occasionOf, occasions, verdictOf } from './occasion.ts';
export { sendAlert } from './send-alert.ts';
