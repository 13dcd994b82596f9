import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';

/** The built page, from `dist/studio/server` and from `dist/command` as well as from the sources. */
const folders = ['../page', '../studio/page', '../../../dist/studio/page'];

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Serves the files of the built page by their names, all read when the studio starts: there is no path to get out by. */
export function servePage(app: FastifyInstance): void {
  const folder = builtPage();
  for (const name of readdirSync(folder)) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const bytes = readFileSync(join(folder, name));
    app.get(name === 'index.html' ? '/' : `/${name}`, (_request, reply) => reply.type(type).send(bytes));
  }
}

function builtPage(): string {
  for (const folder of folders) {
    const path = fileURLToPath(new URL(folder, import.meta.url));
    try {
      if (readdirSync(path).includes('page.js')) return path;
    } catch {
      // Not from here.
    }
  }
  throw new Error('the page of the studio is not built: npm run build');
}
