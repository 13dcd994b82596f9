import { toExplanationList } from './explanation.ts';

/** The explanations of all exit codes; `brief` is the text for the help. */
export const exitCodeExplanations = toExplanationList({
  '0': {
    brief: 'done',
    meaning: 'Everything was applied, was already as the input says, or was skipped by policy.',
    example: 'An import of 2,000 rows that created, updated or left unchanged every one of them.',
    next: 'Nothing.',
  },
  '1': {
    brief: 'unexpected failure, or the result could not be written',
    meaning: 'An unexpected failure, or the result could not be written to standard output.',
    example: 'longshore import p.yaml --json > summary.json, with a full disk.',
    next: 'Read the error. What was done is in the journal: longshore status shows it, longshore resume continues.',
  },
  '2': {
    brief: 'usage or unreadable input',
    meaning: 'The command line, a YAML file or the input is wrong, or the input breaks off.',
    example: 'An unknown option, a key that the mapping does not have, a dump that was cut off.',
    next: 'Fix what the error names, with its line, and type the same command again. longshore check finds the rest.',
  },
  '3': {
    brief: 'done, some rows need a look',
    meaning:
      'The run finished, and some rows were rejected, failed, proposed, stale or are uncertain; or a dump without its end was read (unended: accept).',
    example: '7 of 2,000 rows have an invalid e-mail address and were not sent.',
    next: 'Read rejects.csv and the report of the run, fix the file or the mapping, then: longshore retry.',
  },
  '4': {
    brief: 'error budget, guard or time limit',
    meaning: 'The run stopped itself: too many errors, a guard of an export, or its time limit.',
    example: '6 % of the rows were rejected, and policy.maxErrors allows 5 %.',
    next: 'Look at the problems first: a wrong column often causes all of them. Then resume, or import with --fresh after a fix.',
  },
  '5': {
    brief: 'token refused',
    meaning: 'The workspace refused the token, or the token lacks a permission.',
    example: 'The token expired in the middle of a run; everything until then is checkpointed.',
    next: 'Set a token that the workspace accepts, then type the same command again.',
  },
  '6': {
    brief: 'another run holds the lock',
    meaning: 'Another process runs an import or an export with the same work dir.',
    example: 'The import of last night is still running when the next one starts.',
    next: 'Wait for it or stop it; the lock ends with its process. longshore status shows how far it is.',
  },
  '7': {
    brief: 'workspace not reachable',
    meaning:
      'The workspace could not be reached for longer than limits.outage, or a list that the run needs failed for that long.',
    example: 'The network was down for 15 minutes.',
    next: 'Everything is checkpointed. When the workspace answers again, type the same command again.',
  },
  '130': {
    brief: 'interrupted (Ctrl-C)',
    meaning: 'The run was interrupted by SIGINT, which is Ctrl-C, and is checkpointed.',
    example: 'Ctrl-C in the middle of an import.',
    next: 'longshore resume continues; nothing is sent twice.',
  },
  '143': {
    brief: 'interrupted (SIGTERM, SIGHUP)',
    meaning: 'The run was interrupted by SIGTERM or SIGHUP (its terminal was closed), and is checkpointed.',
    example: 'The machine shut down, or the SSH connection was closed.',
    next: 'longshore resume continues; nothing is sent twice.',
  },
});
