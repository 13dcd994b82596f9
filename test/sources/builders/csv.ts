import { delimited } from './delimited.ts';

export const csv = delimited('csv', ',');
