export { occasionOf, occasions, verdictOf } from './occasion.ts';
export { type Alert, sendAlert } from './send-alert.ts';
