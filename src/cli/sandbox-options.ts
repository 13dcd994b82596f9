import type { InferredOptionTypes, Options } from 'yargs';

const place = {
  port: { type: 'number', default: 4600, requiresArg: true, describe: 'Port on 127.0.0.1; 0 for a free one' },
  file: { type: 'string', requiresArg: true, describe: 'Keep it in this file; without, in memory' },
  seed: { type: 'string', requiresArg: true, describe: 'Begin with this JSON or CSV file' },
  token: {
    type: 'string',
    requiresArg: true,
    describe: 'The token that it takes; left out, a random one for each start, which it prints',
  },
  log: { type: 'boolean', default: false, describe: 'Print each request on standard error' },
} as const satisfies Record<string, Options>;

const silences = {
  strict: {
    type: 'boolean',
    default: false,
    describe: 'Refuse what published clients send beyond the interface',
  },
  existing: {
    choices: ['refuse', 'duplicate'],
    default: 'refuse',
    describe: 'A create of somebody who is there',
  },
  'custom-fields': {
    choices: ['replace', 'merge'],
    default: 'replace',
    describe: 'An array of custom fields in an update',
  },
  'custom-values': {
    choices: ['text', 'typed'],
    default: 'text',
    describe: 'Custom field values in answers',
  },
  'attach-tags': {
    type: 'boolean',
    default: false,
    describe: 'Offer POST /contact/{identifier}/tag, which the interface lacks',
  },
  processing: {
    type: 'number',
    default: 0,
    requiresArg: true,
    describe: 'Seconds until a new contact can be seen',
  },
  'processing-answer': { choices: [404, 449], default: 449, describe: 'What it answers until then' },
  'undocumented-processing': {
    choices: ['absent', 'queued'],
    default: 'absent',
    describe: 'The same where no 449 is documented: not there, or 449',
  },
  'undocumented-absent': {
    choices: [400, 404],
    default: 404,
    describe: 'What is not there, where no 404 is documented',
  },
  'plain-errors': {
    type: 'boolean',
    default: false,
    describe: 'Leave the reason out of a 400: "Validation error." only',
  },
  'new-status': {
    choices: ['open', 'closed'],
    default: 'open',
    describe: 'Conversation status of a new contact',
  },
  'created-status': { choices: [200, 201], default: 201, describe: 'Status of a create' },
  'unknown-properties': {
    choices: ['refuse', 'ignore'],
    default: 'refuse',
    describe: 'Properties that the interface does not name',
  },
  'duplicate-tag': { choices: [400, 409], default: 400, describe: 'A tag with a name that is there' },
  'list-limit': { choices: [99, 100], default: 100, describe: 'Largest page of the contact list' },
  'last-next': {
    choices: ['empty', 'null', 'absent'],
    default: 'empty',
    describe: 'How "no further page" looks',
  },
  'message-order': { choices: ['newest', 'oldest'], default: 'newest', describe: 'First in a message list' },
} as const satisfies Record<string, Options>;

const trouble = {
  rate: {
    type: 'number',
    default: 5,
    requiresArg: true,
    describe: 'Requests a second for a method and path; 0 for no limit',
  },
  window: {
    choices: ['sliding', 'fixed', 'bucket'],
    default: 'sliding',
    describe: 'How that second is counted',
  },
  faults: {
    type: 'number',
    default: 0,
    requiresArg: true,
    describe: 'Share of requests for each kind of trouble, as 0.02',
  },
  'fault-seed': { type: 'number', default: 1, requiresArg: true, describe: 'Decides which requests meet it' },
  latency: { type: 'number', default: 0, requiresArg: true, describe: 'Milliseconds a request takes longer' },
  forbid: { type: 'string', requiresArg: true, describe: 'Paths answered with 403, as "/contact/*"' },
} as const satisfies Record<string, Options>;

/** The switches of the sandbox as flags. */
export const sandboxOptions = { ...place, ...silences, ...trouble } as const;

/** What the help shows together. */
export const sandboxGroups = {
  'Options:': Object.keys(place),
  'Where the interface leaves it open:': Object.keys(silences),
  'Trouble:': Object.keys(trouble),
} as const;

/** What the sandbox command asks for, numbers checked. */
export type SandboxFlags = {
  readonly [K in keyof InferredOptionTypes<typeof sandboxOptions> as K extends string
    ? CamelCase<K>
    : never]: InferredOptionTypes<typeof sandboxOptions>[K];
};

type CamelCase<K extends string> = K extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : K;
