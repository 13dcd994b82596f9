import type { Options } from 'yargs';
import type { ParsedFlags } from './command.ts';

const place = {
  port: {
    type: 'number',
    default: 4600,
    requiresArg: true,
    describe: 'Port; 0 for any free port',
  },
  host: {
    type: 'string',
    default: '127.0.0.1',
    requiresArg: true,
    describe: 'Address to listen on; 0.0.0.0 in a container',
  },
  'allow-host': {
    type: 'string',
    array: true,
    nargs: 1,
    requiresArg: true,
    describe: 'Name under which requests may come in, besides 127.0.0.1 and localhost; can be repeated',
  },
  file: { type: 'string', requiresArg: true, describe: 'Keep the data in this file (default: in memory)' },
  seed: { type: 'string', requiresArg: true, describe: 'Start with the data of this JSON or CSV file' },
  token: {
    type: 'string',
    requiresArg: true,
    describe: 'Token to accept (default: a random one for each start, printed)',
  },
  'log-bodies': {
    type: 'boolean',
    default: false,
    describe: 'Keep request bodies in GET /sandbox/log',
  },
  log: { type: 'boolean', default: false, describe: 'Print every request on standard error' },
} as const satisfies Record<string, Options>;

const silences = {
  strict: {
    type: 'boolean',
    default: false,
    describe: 'Refuse what published clients send but the API does not document',
  },
  existing: {
    choices: ['refuse', 'duplicate'],
    default: 'refuse',
    describe: 'Creating a contact that exists',
  },
  'custom-fields': {
    choices: ['replace', 'merge'],
    default: 'replace',
    describe: 'What the custom fields of an update do to the others',
  },
  'empty-values': {
    choices: ['clear', 'ignore'],
    default: 'clear',
    describe: 'What an empty value of an update does',
  },
  'custom-values': {
    choices: ['text', 'typed'],
    default: 'text',
    describe: 'Custom field values in responses',
  },
  'attach-tags': {
    type: 'boolean',
    default: false,
    describe: 'Offer POST and DELETE /contact/{identifier}/tag, which the API does not document',
  },
  processing: {
    type: 'number',
    default: 0,
    requiresArg: true,
    describe: 'Seconds until a new contact can be read',
  },
  'processing-answer': { choices: [404, 449], default: 449, describe: 'Status until then' },
  'undocumented-processing': {
    choices: ['absent', 'queued'],
    default: 'absent',
    describe: 'The same where the API documents no 449: not found, or 449',
  },
  'undocumented-absent': {
    choices: [400, 404],
    default: 404,
    describe: 'Status for "not found" where the API documents no 404',
  },
  'plain-errors': {
    type: 'boolean',
    default: false,
    describe: 'Leave the reason out of every 400: "Validation error." only',
  },
  'new-status': {
    choices: ['open', 'closed'],
    default: 'open',
    describe: 'Conversation status of a new contact',
  },
  'created-status': { choices: [200, 201], default: 201, describe: 'Status of a successful create' },
  'unknown-properties': {
    choices: ['refuse', 'ignore'],
    default: 'refuse',
    describe: 'Properties that the API does not document',
  },
  'duplicate-tag': { choices: [400, 409], default: 400, describe: 'Status for a tag name that exists' },
  'list-limit': { choices: [99, 100], default: 100, describe: 'Largest page of the contact list' },
  'last-next': {
    choices: ['empty', 'null', 'absent'],
    default: 'empty',
    describe: 'How the last page says that there is no next one',
  },
  'message-order': {
    choices: ['newest', 'oldest'],
    default: 'newest',
    describe: 'Which messages a list shows first',
  },
} as const satisfies Record<string, Options>;

const faults = {
  rate: {
    type: 'number',
    default: 5,
    requiresArg: true,
    describe: 'Requests per second for a method and path; 0 for no limit',
  },
  window: {
    choices: ['sliding', 'fixed', 'bucket'],
    default: 'sliding',
    describe: 'How the second is counted',
  },
  faults: {
    type: 'number',
    default: 0,
    requiresArg: true,
    describe: 'Share of requests hit by each kind of fault, for example 0.02',
  },
  'fault-seed': {
    type: 'number',
    default: 1,
    requiresArg: true,
    describe: 'Random seed that decides which requests fail',
  },
  latency: { type: 'number', default: 0, requiresArg: true, describe: 'Milliseconds added to every request' },
  forbid: {
    type: 'string',
    requiresArg: true,
    describe: 'Paths answered with 403, for example "/contact/*"',
  },
} as const satisfies Record<string, Options>;

/** The options of the command `sandbox`. */
export const sandboxCommandOptions = { ...place, ...silences, ...faults } as const;

/** The groups of the options in the help. */
export const sandboxOptionGroups = {
  'Options:': Object.keys(place),
  'Where the API documentation leaves it open:': Object.keys(silences),
  'Limits and faults:': Object.keys(faults),
} as const;

/** The parsed flags of the command `sandbox`; the command checks their numbers before it uses them. */
export type SandboxFlags = ParsedFlags<typeof sandboxCommandOptions>;
