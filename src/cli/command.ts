import type {
  ArgumentsCamelCase,
  Argv,
  InferredOptionType,
  InferredOptionTypes,
  Options,
  PositionalOptions,
} from 'yargs';
import type { Invocation } from '../app/run/command-line.ts';
import type { Screen } from '../app/run/terminal/screen.ts';
import { resolveDefaultWorkDir } from '../app/run/work-dir.ts';

/** The options that every command has. */
export const globalOptions = {
  workspace: {
    type: 'string',
    describe: 'Target workspace: "sandbox" (a local one in the work dir) or a base URL',
    requiresArg: true,
  },
  'work-dir': {
    type: 'string',
    get default() {
      return resolveDefaultWorkDir();
    },
    defaultDescription: 'LONGSHORE_WORK_DIR, or .longshore here or in a parent folder',
    describe: 'Folder of the journal, the runs and the sandbox',
    requiresArg: true,
  },
  'allow-env': {
    type: 'string',
    describe: 'Environment variables, comma-separated, that a pipeline may read besides LONGSHORE_*',
    requiresArg: true,
  },
  json: { type: 'boolean', default: false, describe: 'Print only the result, as JSON' },
  quiet: { type: 'boolean', default: false, describe: 'Print errors only' },
  progress: {
    choices: ['bar', 'plain', 'none'],
    requiresArg: true,
    describe: 'Show progress as a bar (on a terminal), as plain lines, or not at all',
  },
} as const satisfies Record<string, Options>;

/** The positional argument for a pipeline file. */
export const pipelineArgument = [
  'pipeline',
  { type: 'string', demandOption: true, describe: 'The pipeline file (YAML)' },
] as const satisfies [string, PositionalOptions];

/** The positional argument for a run; optional. */
export const runArgument = [
  'run',
  { type: 'string', describe: 'The run, as "runs" lists it' },
] as const satisfies [string, PositionalOptions];

/** The option --source, which replaces the input of the pipeline. */
export const sourceOption = {
  type: 'string',
  requiresArg: true,
  describe: "Input to read instead of the pipeline's, relative to the current folder",
} as const satisfies Options;

/** The option --yes, which overrides the pipeline's guard. */
export const yesOption = {
  type: 'boolean',
  default: false,
  describe: "Import even if the pipeline's guard would stop it",
} as const satisfies Options;

/** The option --metrics, the path of a Prometheus text file. */
export const metricsOption = {
  type: 'string',
  requiresArg: true,
  describe: 'Keep a Prometheus text file of the run, for a textfile collector',
} as const satisfies Options;

type CommonFlags = InferredOptionTypes<typeof globalOptions>;
type Table = Readonly<Record<string, Options>>;

/** The parsed flags of a command with these options. */
export type ParsedFlags<O extends Table, T = CommonFlags> = ArgumentsCamelCase<
  Omit<T, keyof O> & InferredOptionTypes<O>
> & { readonly invocation: Invocation };

/** The description of a command for the help, the reference and the completion. */
interface Description<O extends Table = Table> {
  /** The name and its arguments, as in `import <pipeline>`. */
  readonly usage: string;
  /** The effect of the command, in one line. */
  readonly summary: string;
  /**
   * The options of the command; `groups` lists them by title if the help shows them in groups other than "Options:".
   */
  readonly options: O;
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** Example command lines, each with its effect. */
  readonly examples: readonly (readonly [typed: string, effect: string])[];
}

type Argument<K extends string = string, A extends PositionalOptions = PositionalOptions> = readonly [K, A];

/** A command of the program: its description, its first argument and its registration with the parser. */
export interface CommandDefinition extends Description {
  /** The first positional argument; undefined where the command has none. */
  readonly argument: Argument | undefined;
  /**
   * Registers the command with the parser. If the command is typed, the parser passes the function that runs it to
   * `choose`, before it validates the options.
   */
  readonly register: (cli: Argv<CommonFlags>, choose: Choose) => void;
}

/** Runs a command with its parsed flags; resolves with the exit code. */
export type CommandCall = (screen: Screen, invocation: Invocation) => Promise<number>;

type Choose = (call: CommandCall) => void;

type Run<Flags> = (flags: Flags, screen: Screen) => Promise<number>;

/** Returns a command without positional arguments. */
export function defineCommand<const O extends Table>(
  about: Description<O>,
  run: Run<ParsedFlags<O>>,
): CommandDefinition {
  return {
    ...about,
    argument: undefined,
    register: (cli, choose) =>
      cli.command(about.usage, about.summary, (parser) =>
        described(parser, about).middleware(
          (flags) => choose((screen, invocation) => run({ ...flags, invocation }, screen)),
          true,
        ),
      ),
  };
}

type Words = Readonly<Record<string, PositionalOptions>>;

/** Returns a command with one positional argument, and with further optional ones under `words`. */
export function defineCommandWithArgument<
  K extends string,
  const A extends PositionalOptions,
  const O extends Table,
  const W extends Words = Record<never, never>,
>(
  about: Description<O> & { readonly argument: Argument<K, A>; readonly words?: W },
  run: Run<
    ParsedFlags<
      O,
      CommonFlags & { [key in K]: InferredOptionType<A> } & { [key in keyof W]: InferredOptionType<W[key]> }
    >
  >,
): CommandDefinition {
  return {
    ...about,
    register: (cli, choose) =>
      cli.command(about.usage, about.summary, (parser) =>
        described(withWords(parser.positional(...about.argument), about.words), about).middleware(
          (flags) => choose((screen, invocation) => run({ ...flags, invocation }, screen)),
          true,
        ),
      ),
  };
}

function withWords<T, W extends Words>(
  parser: Argv<T>,
  words: W | undefined,
): Argv<T & { [key in keyof W]: InferredOptionType<W[key]> }>;
function withWords<T>(parser: Argv<T>, words: Words = {}): Argv<T> {
  for (const [name, options] of Object.entries(words)) parser.positional(name, options);
  return parser;
}

function described<T, O extends Table>(parser: Argv<T>, { options, groups, examples }: Description<O>) {
  const titled = groups ?? { 'Options:': Object.keys(options) };
  for (const [title, names] of Object.entries(titled)) parser.group([...names], title);
  for (const [typed, effect] of examples) parser.example(typed, effect);
  return parser.options(options);
}

/** Returns the name of a command: the first word of its usage. */
export function getCommandName({ usage }: Pick<CommandDefinition, 'usage'>): string {
  return usage.split(' ', 1)[0] ?? usage;
}
