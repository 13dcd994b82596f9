import { configureGlobal } from 'fast-check';

/** Every property is tried with the same values everywhere; `LONGSHORE_TEST_SEED=random` looks for new ones. */
const seed = process.env.LONGSHORE_TEST_SEED ?? '20261122';

if (seed !== 'random') configureGlobal({ seed: Number(seed) });
