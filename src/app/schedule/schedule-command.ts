import { dirname, resolve } from 'node:path';
import { IANAZone } from 'luxon';
import { FatalError } from '../../model/fatal-error.ts';
import { formatDidYouMean } from '../../model/nearest.ts';
import { loadExportPipeline, loadImportPipeline, readPipelineKind } from '../../pipeline/index.ts';
import type { CommandContext } from '../run/target.ts';
import type { Screen } from '../run/terminal/screen.ts';
import { listEnvVariablesToAllow } from '../run/variables.ts';
import type { ScheduledJob } from './job.ts';
import { createScheduleFiles, type SchedulerName } from './registry.ts';
import { printOrWriteFiles, readScheduleHost } from './shown-files.ts';
import { listPipelineEnvVariables } from './variables.ts';

/** The flags of schedule. */
export interface ScheduleFlags extends CommandContext {
  readonly pipelineFile: string;
  readonly for: SchedulerName;
  /** `02:30`. */
  readonly at: string;
  readonly timezone: string | undefined;
  readonly out: string | undefined;
}

/** Prints or writes the files that run a pipeline every night; returns the exit code. */
export async function runScheduleCommand(flags: ScheduleFlags, screen: Screen): Promise<number> {
  printOrWriteFiles(createScheduleFiles(flags.for, await jobOf(flags)), flags.out, screen);
  return 0;
}

async function jobOf(flags: ScheduleFlags): Promise<ScheduledJob> {
  const { pipelineFile, workspace } = flags;
  const kind = await readPipelineKind(pipelineFile);
  const loaded =
    kind === 'export' ? await loadExportPipeline(pipelineFile) : await loadImportPipeline(pipelineFile);
  const variables = listPipelineEnvVariables(
    loaded,
    workspace,
    (name) => process.env[name]?.trim() || undefined,
  );
  const machine = readScheduleHost();
  const shared = {
    kind,
    pipeline: loaded.pipeline,
    file: loaded.file,
    workDir: resolve(flags.workDir),
    workspace,
    at: timeOf(flags.at),
    variables,
    allowEnv: listEnvVariablesToAllow(variables.map(({ name }) => name)),
    machine,
  };
  const zone = zoneOf(flags.timezone);
  if ('export' in loaded) {
    const { to, timezone, timeout } = loaded.export;
    return { ...shared, exports: dirname(to), timezone: zone ?? timezone, timeout };
  }
  const { source, timeout } = loaded.import;
  if (source.path === '-') {
    throw new FatalError(
      'usage',
      'this pipeline reads standard input, which a scheduled run does not have.',
      {
        place: { file: pipelineFile },
        next: 'Set import.source.path to a file.',
      },
    );
  }
  return { ...shared, exports: undefined, timezone: zone ?? machine.timezone, timeout };
}

function timeOf(text: string): ScheduledJob['at'] {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hour === undefined || minute === undefined) {
    throw new FatalError('usage', `--at takes a time of day such as 02:30, not ${JSON.stringify(text)}.`);
  }
  return { hour: Number(hour), minute: Number(minute) };
}

function zoneOf(text: string | undefined): string | undefined {
  if (text === undefined || (/^[A-Za-z]/.test(text) && IANAZone.isValidZone(text))) return text;
  const meant = formatDidYouMean(text, Intl.supportedValuesOf('timeZone'));
  throw new FatalError(
    'usage',
    `--timezone takes the name of a time zone such as Europe/Berlin, not ${JSON.stringify(text)}${meant === '' ? '.' : meant}`,
  );
}
