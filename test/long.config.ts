process.env.LONGSHORE_TESTS = 'long';

export { default } from './vitest.config.ts';
