import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { getLostOutputExitCode } from '../../src/app/run/exit-code.ts';
import { Output } from '../../src/app/run/terminal/output.ts';
import { Screen } from '../../src/app/run/terminal/screen.ts';
import { createTerminalStyler } from '../../src/report/layout.ts';
import { TerminalStream } from '../report/terminal-stream.ts';
import { controls, hostileText } from './hostile-text.ts';

function outputOn(env: { NO_COLOR?: string; TERM?: string } = {}, columns = 80) {
  const out = new TerminalStream(true, columns);
  const err = new TerminalStream(true, columns);
  return { out, err, output: new Output(out, err, env) };
}

describe('the one writer', () => {
  it('shows controls instead of letting the terminal obey them, whatever is printed', () => {
    const { out, err, output } = outputOn();
    const screen = new Screen({ json: false, quiet: false }, output);
    screen.result(() => hostileText, null);
    screen.note(hostileText);
    screen.log(hostileText);
    screen.progress?.say(hostileText);
    new Screen({ json: true, quiet: false }, output).result(() => '', { [hostileText]: hostileText });
    expect(out.text).toContain('EVIL');
    expect(err.text.split('EVIL')).toHaveLength(4);
    expect(out.text).not.toMatch(controls);
    expect(err.text).not.toMatch(controls);
    expect(JSON.parse(out.text.slice(out.text.indexOf('{')))).toEqual({ [hostileText]: hostileText });
  });

  it('a bar is drawn with moves of its own only', () => {
    const { err, output } = outputOn({}, 400);
    output.draw(() => [hostileText.replaceAll('\n', ''), 'second line']);
    output.say(hostileText);
    output.clear();
    expect(err.take().split('EVIL').length).toBeGreaterThan(2);
    output.draw(() => [hostileText.replaceAll('\n', ''), 'second line']);
    expect(err.take().replaceAll('\n', '')).not.toMatch(controls);
  });

  it('colours come from paint alone: a mark in the data is text', () => {
    const { out, output } = outputOn();
    output.result(createTerminalStyler(true).bold('bold \u001b[31mred'));
    expect(out.text).toBe('\u001b[1mbold \\u001b[31mred\u001b[0m\n');
  });

  it.each([
    ['the line that is typed', 'yes\nmore\n', 'yes'],
    ['a last line without a line break', 'yes', 'yes'],
    ['nothing, where the input ends instead (Ctrl-D)', '', ''],
  ])('a question gets %s', async (_, typed, answer) => {
    const input = new PassThrough();
    const { err } = outputOn();
    const asked = new Output(err, err, {}, input).ask('Sure? ', new AbortController().signal);
    input.end(typed);
    expect(await asked).toBe(answer);
  });

  it('a question that is stopped throws the reason', async () => {
    const { err } = outputOn();
    const stop = new AbortController();
    const asked = new Output(err, err, {}, new PassThrough()).ask('Sure? ', stop.signal);
    stop.abort(new Error('SIGINT'));
    await expect(asked).rejects.toThrow('SIGINT');
  });

  it.each([
    [{}, true],
    [{ NO_COLOR: '' }, true],
    [{ NO_COLOR: '1' }, false],
    [{ TERM: 'dumb' }, false],
  ])('under %j colour is %j', (env, colour) => {
    expect(outputOn(env).output.colour).toBe(colour);
  });

  it('a terminal that moves nothing gets plain lines', () => {
    const { output } = outputOn({ TERM: 'dumb' });
    expect(new Screen({ json: false, quiet: false }, output).progress?.mode).toBe('plain');
  });

  it('what is said while a bar runs is whole, and the bar is drawn below it again', () => {
    const { err, output } = outputOn({}, 40);
    output.draw(() => ['bar', 'counts']);
    err.take();
    const text = 'a message that is longer than the terminal is wide, and ends here.';
    output.say(text);
    expect(err.text).not.toContain('\u001b[?7l');
    expect(err.take()).toBe(`|||${text}\n|bar|\n|counts|`);
    output.clear();
    expect(err.take()).toBe('|||');
    output.say('after');
    expect(err.text).toBe('after\n');
  });
});

describe('a result that could not be written', () => {
  const failure = (code: string) => Object.assign(new Error(`${code}: cannot write`), { code });

  it.each(['ENOSPC', 'EIO', 'EBADF'])('%s on standard output is a loss, said once', (code) => {
    const { out, err, output } = outputOn();
    out.emit('error', failure(code));
    out.emit('error', failure(code));
    expect(output.lost).toBe(true);
    expect(err.lines).toEqual([`error: standard output could not be written: ${code}: cannot write`]);
    output.result('nobody gets this');
    expect(out.text).toBe('');
  });

  it('that nobody reads on is none, and neither is a progress that nobody sees', () => {
    const { out, err, output } = outputOn();
    out.emit('error', failure('EPIPE'));
    err.emit('error', failure('EIO'));
    output.say('gone');
    expect(output.lost).toBe(false);
    expect(err.text).toBe('');
  });

  it.each([0, 3])('of a run that came to its end (exit code %i) is an unexpected failure', (code) => {
    expect(getLostOutputExitCode(code)).toBe(1);
  });

  it.each([1, 2, 4, 5, 6, 7, 130, 143])('exit code %i says more, and stays', (code) => {
    expect(getLostOutputExitCode(code)).toBe(code);
  });
});

describe('in the sources', () => {
  const src = fileURLToPath(new URL('../../src', import.meta.url));
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  const having = (pattern: RegExp) =>
    files.filter((path) => pattern.test(readFileSync(join(src, path), 'utf8')));

  it('one file alone can write to standard output and standard error', () => {
    const streams =
      /\bprocess\s*(\?\.|\.)\s*std(out|err)|\bprocess\s*\[|\bconsole\b\s*[.[]|node:(process|tty|console)'/;
    const destructured = /[{,]\s*std(out|err)\b[^}]*\}\s*=\s*process\b/;
    const descriptors = /\/dev\/(std|tty|fd)|writeSync\(\s*[12]\b|\bfd:\s*[12]\b|emitWarning/;
    expect(having(streams)).toEqual(['app/run/terminal/output.ts']);
    expect(having(destructured)).toEqual([]);
    expect(having(descriptors)).toEqual([]);
  });

  it('what writes there by itself is imported where it is given another way', () => {
    expect(having(/from 'cli-progress'/)).toEqual(['app/run/terminal/live-lines.ts']);
    expect(having(/\bpino\(/)).toEqual(['app/run/report/log.ts']);
    expect(having(/from 'yargs'/).filter((path) => !path.startsWith('cli/'))).toEqual([]);
    expect(having(/\.showHelp\(|\.showVersion\(|showCompletionScript/)).toEqual([]);
    expect(having(/logger:\s*(true|\{)/)).toEqual([]);
  });
});
