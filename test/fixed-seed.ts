import { configureGlobal } from 'fast-check';
import { setInvocation } from '../src/app/run/command-line.ts';

/** Every property is tried with the same values everywhere; `LONGSHORE_TEST_SEED=random` looks for new ones. */
const seed = process.env.LONGSHORE_TEST_SEED ?? '20261122';

if (seed !== 'random') configureGlobal({ seed: Number(seed) });

// The files of a project share a process: each begins with commands typed as usual.
setInvocation({ program: 'npx longshore', words: [], allowEnv: [] });
