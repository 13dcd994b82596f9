/** The actions of `fleet`, each with its arguments and its effect. */
export const fleetActions = {
  init: { words: '', does: 'prepare the database' },
  apply: { words: '[FILE]', does: 'make the schedules what fleet.yaml says' },
  up: { words: '[FILE]', does: 'prepare, apply, and work in this terminal' },
  status: {
    words: '[WORKSPACE]',
    does: 'show how every workspace stands, or one with what its runs have left',
  },
  metrics: { words: '', does: 'print how the fleet stands for Prometheus' },
  run: { words: 'WORKSPACE [PIPELINE]', does: 'run now' },
  pause: { words: 'WORKSPACE', does: 'start no more jobs' },
  resume: { words: 'WORKSPACE', does: 'start jobs again' },
  retry: {
    words: 'WORKSPACE [PIPELINE]',
    does: 'try again now what failed or was given up, or with --rows the rows of its last run',
  },
  approve: { words: 'WORKSPACE FILE', does: 'import what a filled-in list approves or answers' },
  continue: {
    words: 'WORKSPACE [PIPELINE] --with new|old',
    does: 'continue after an input was replaced, with the new one or with the old',
  },
  forget: {
    words: 'PERSON [WORKSPACE]',
    does: 'remove a person from what is stored, and never import them again',
  },
  drain: { words: '[WORKER]', does: 'let workers give their jobs back and end' },
  deploy: { words: '[FILE]', does: 'print the files that run workers' },
} as const;

/** The name of an action of `fleet`. */
export type FleetAction = keyof typeof fleetActions;
