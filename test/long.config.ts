process.env.LONGSHORE_TESTS = 'long';

// An import that is written as such would be read before the line above.
export default (await import('./vitest.config.ts')).default;
