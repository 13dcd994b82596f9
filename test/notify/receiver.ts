import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Delivered {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Whoever gets the alerts, on this machine. */
export interface Receiver {
  readonly url: string;
  readonly delivered: readonly Delivered[];
  /** The bodies. */
  readonly alerts: readonly Record<string, unknown>[];
  /** What it answers from now on; undefined for nothing at all. */
  answer: number | undefined;
  /** Resolves when that many requests have come. */
  came(count: number): Promise<void>;
}

/** Listens for as long as `use` takes. */
export async function atReceiver(use: (receiver: Receiver) => Promise<void>): Promise<void> {
  const delivered: Delivered[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    delivered.push({ headers: request.headers, body });
    for (const { count, resolve } of waiting) if (delivered.length >= count) resolve();
    if (receiver.answer !== undefined) response.writeHead(receiver.answer).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/s3cret/hook`,
    delivered,
    get alerts() {
      return delivered.map(({ body }): Record<string, unknown> => JSON.parse(body));
    },
    answer: 204,
    came: (count) =>
      new Promise((resolve) => {
        if (delivered.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
  try {
    await use(receiver);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
