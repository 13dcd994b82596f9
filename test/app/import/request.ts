import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ImportRequest } from '../../../src/app/import/request.ts';
import type { RunEvent } from '../../../src/app/run/events.ts';
import { type JournalDatabase, openJournalDatabase } from '../../../src/journal/index.ts';
import { toCommand } from '../../../src/model/command.ts';
import type { TransportRequest, TransportResponse } from '../../../src/model/ports.ts';
import { loadImportPipeline } from '../../../src/pipeline/index.ts';
import { openWorkspace } from '../../../src/workspace/index.ts';
import { usualInvocation } from '../../invocation.ts';
import { place, workDir } from '../../journal/work-dir.ts';
import { hastyClock, hastyLimits } from '../../workspace/hasty-clock.ts';
import { seeded } from '../../workspace/seeded.ts';

const mapping = `mapping: acme
key: Key
contact:
  firstName: { from: First }
  email: { from: Email }
  phone: { from: Phone, country: MY }
`;

export interface Asked {
  readonly request: ImportRequest;
  readonly file: JournalDatabase;
  /** The reported events. */
  readonly events: RunEvent[];
  /** Requests as `<METHOD> <path>`, in order. */
  readonly sent: string[];
}

/** What a command asks for: an import of these lines of CSV, below their header, into a workspace that is a function. */
export async function askedFor(
  answer: (request: string, whole: TransportRequest) => TransportResponse,
  lines: readonly string[],
  settings = '',
  more: Partial<ImportRequest> = {},
): Promise<Asked> {
  const dir = workDir();
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'rows.csv'), ['Key,First,Email,Phone', ...lines, ''].join('\n'));
  writeFileSync(join(dir, 'mapping.yaml'), mapping);
  const yaml = `pipeline: acme\nimport:\n  source: { format: csv, path: rows.csv }\n  mapping: mapping.yaml\n${settings}`;
  writeFileSync(join(dir, 'pipeline.yaml'), yaml);
  const file = openJournalDatabase(dir);
  onTestFinished(() => {
    file.close();
  });
  const [events, sent]: [RunEvent[], string[]] = [[], []];
  const [clock, stop] = [hastyClock(), new AbortController()];
  const send = (whole: TransportRequest) => {
    const request = `${whole.method} ${decodeURIComponent(whole.path)}`;
    sent.push(request);
    return Promise.resolve(answer(request, whole));
  };
  const workspace = openWorkspace({
    baseUrl: 'https://workspace.test/v1',
    token: 'a-token-for-tests',
    limits: hastyLimits,
    clock,
    randomness: seeded(1),
    signal: stop.signal,
    transport: { send, close: () => Promise.resolve() },
  });
  const request: ImportRequest = {
    pipeline: await loadImportPipeline(join(dir, 'pipeline.yaml')),
    workspace,
    place: place.place,
    target: 'sandbox',
    workDir: dir,
    fresh: false,
    selection: { kind: 'all' },
    full: false,
    limit: Number.POSITIVE_INFINITY,
    command: toCommand,
    invocation: usualInvocation,
    clock,
    listen: (event) => void events.push(event),
    stop,
    ...more,
  };
  return { request, file, events, sent };
}
