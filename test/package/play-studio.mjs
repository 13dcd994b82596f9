import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from './processes.mjs';

/** Opens the installed studio where no network is; returns what it has served and done. */
export async function playStudio({ node, prefix, installed, folder }) {
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(installed, 'fixtures/messy/kunden.csv'), join(folder, 'kunden.csv'));
  const guard = new URL('only-this-machine.mjs', import.meta.url);
  const studio = serve(join(prefix, 'bin/longshore'), ['studio', '--no-open'], {
    cwd: folder,
    env: { ...node.env, NODE_OPTIONS: `--import=${guard}` },
  });
  try {
    const [url] = await studio.says(/http:\/\/127\.0\.0\.1:\d+\/#\/open\/[\w-]+/);
    const page = await expectPage(new URL(url).origin);
    const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const ask = await beginSession(url, version);
    const rows = await lookAt(ask);
    const questions = await draft(ask, folder);
    assert.deepEqual(await studio.stop(), { code: 0, stderr: '' });
    return `Studio: a page of ${page}; kunden.csv looked at (${rows} rows) and drafted (${questions} questions).`;
  } finally {
    studio.kill();
  }
}

/** The page, and everything that it loads, now or later, comes from the studio itself. */
async function expectPage(origin) {
  const index = await fetch(`${origin}/`);
  assert.match(index.headers.get('content-security-policy'), /default-src 'none'/);
  const html = await index.text();
  const names = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name);
  assert.deepEqual(names.toSorted(), ['/icon.svg', '/page.css', '/page.js']);
  const files = await Promise.all(names.map((name) => served(origin, name)));
  const script = files[names.indexOf('/page.js')];
  const later = [...new Set(script.match(/[\w-]+\.js(?=["'`])/g))];
  assert.ok(
    later.some((name) => name.startsWith('editor')),
    `an editor among ${later}`,
  );
  for (const name of later) files.push(await served(origin, `/${name}`));
  const bytes = files.reduce((sum, text) => sum + text.length, html.length);
  return `${files.length + 1} files, ${Math.round(bytes / 1_000)} KB`;
}

const types = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };

async function served(origin, name) {
  assert.match(name, /^\/[\w-]+\.\w+$/, 'a file beside the page');
  const response = await fetch(origin + name);
  assert.equal(response.status, 200, name);
  const type = response.headers.get('content-type');
  assert.ok(type.startsWith(types[name.split('.').at(-1)]), `${name} as ${type}`);
  const text = await response.text();
  assert.ok(text.length > 100, `${name} is ${text.length} characters`);
  return text;
}

/** Exchanges the code of the link, which is good once, as the page does; returns what asks in that session. */
async function beginSession(url, version) {
  const { origin, hash } = new URL(url);
  const send = (path, body, token) =>
    fetch(`${origin}/api/${path}`, {
      headers: { 'content-type': 'application/json', ...(token && { 'x-longshore-session': token }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  const ask = async (path, body, token) => {
    const response = await send(path, body, token);
    const text = await response.text();
    assert.equal(response.status, 200, `${path}: ${text}`);
    return text;
  };
  assert.equal((await send('project')).status, 401);
  const code = hash.split('/').at(-1);
  const { token } = JSON.parse(await ask('session', { code }));
  assert.equal((await send('session', { code })).ok, false, 'a second session of one link');
  const project = JSON.parse(await ask('project', undefined, token));
  assert.equal(project.version, version);
  return (path, body) => ask(path, body, token);
}

/** The preview of a file, by the process that the installed studio starts for it. */
async function lookAt(ask) {
  const events = await ask('inputs/look', { path: 'kunden.csv', rows: 5, seed: 0.5 });
  const [, event] = /^data: (.*)$/m.exec(events);
  const { look } = JSON.parse(event);
  assert.equal(look.first[0].cells[look.columns.indexOf('Vorname')], 'Jörg');
  return look.read.rows;
}

/** A draft, by the installed command. */
async function draft(ask, folder) {
  const command = { command: 'draft', file: 'kunden.csv', out: '.' };
  const { id } = JSON.parse(await ask('processes', { command }));
  // It ends with the process.
  await ask(`processes/${id}/output`);
  const { drafted } = JSON.parse(await ask(`processes/${id}/draft`));
  assert.ok(existsSync(join(folder, drafted.mapping.file)));
  assert.ok(drafted.todos.length > 0);
  return drafted.todos.length;
}
