import { createServer } from 'node:http';
import { atExport, type Ended, type Exporting } from './exporting.ts';

/** What a path is answered with: a body with 200, or a status without one. */
export type Hostile = Readonly<Record<string, () => string | Buffer | number>>;

/** An export of a workspace that answers as it is told; by the end of the path, and empty lists for everything else. */
export async function atHostile(
  { settings, answers }: { readonly settings: Readonly<Record<string, unknown>>; readonly answers: Hostile },
  play: (scene: Pick<Exporting, 'lines' | 'requests'> & { export(): Promise<Ended> }) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').split('?', 1)[0] ?? '';
    asked.push(`${request.method} ${path}`);
    const found = Object.entries(answers).find(([end]) => path.endsWith(end));
    const body = found === undefined ? '{"items":[]}' : found[1]();
    if (typeof body === 'number') response.writeHead(body).end();
    else response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  try {
    await atExport({ settings }, async ({ export: exportOnce, lines }) => {
      await play({
        lines,
        requests: () => asked.splice(0),
        export: () => exportOnce({ baseUrl: `http://127.0.0.1:${port}/v1` }),
      });
    });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
