import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const forAges = '999999999';
const user = { id: 1, firstName: 'Ada', lastName: 'L', email: 'ada@example.com' };
const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
let cursor = 0;

/** What a workspace does that means no good, or is broken, each to every request. */
export const behaviours = {
  'a 503 that asks for 31 years': (_, response) => {
    response.writeHead(503, { 'retry-after': forAges }).end('{"code":503,"message":"overloaded"}');
  },
  'a 429 that asks for 31 years': (_, response) => {
    response.writeHead(429, { 'retry-after': forAges }).end('{"code":429,"message":"Too Many Requests"}');
  },
  'a body that drips': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const dripping = setInterval(() => response.write(' '), 200);
    response.on('close', () => clearInterval(dripping));
  },
  silence: () => undefined,
  'a list without end': (_, response) => {
    cursor += 1;
    const pagination = { next: `http://127.0.0.1/v1/x?cursorId=${cursor}` };
    response.end(
      JSON.stringify({ items: [{ ...user, name: 'Plan', category: 'A', dataType: 'text' }], pagination }),
    );
  },
  'JSON that is deeply nested': (_, response) => {
    response.end(
      `{"items":[{"id":1,"firstName":"Ada","email":"a@example.com","name":"Plan","dataType":"text","x":${deep}}]}`,
    );
  },
  'JSON that breaks off': (_, response) => {
    response.end('{"items":[{"id":1,');
  },
  'a redirect': (_, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:9/v1/space/user' }).end();
  },
  'a connection that breaks': (_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{', () => response.destroy());
  },
  'a 449 without end': (_, response) => {
    response.writeHead(449).end('{"code":449,"message":"queued"}');
  },
} satisfies Readonly<Record<string, Answer>>;

export type Behaviour = keyof typeof behaviours;

/** What it does for those who come in peace: nobody is there, and everybody may be created. */
const kind: Answer = ({ method, url = '' }, response) => {
  if (method === 'GET' && url.includes('/contact/'))
    response.writeHead(404).end('{"code":404,"message":"no"}');
  else if (method === 'GET' || url.includes('/list')) response.end('{"items":[]}');
  else response.writeHead(201).end('{"code":"201","message":"being created"}');
};

/** Which behaviour a token asks for; the header of a request cannot hold a sentence. */
export function tokenFor(behaviour: Behaviour): string {
  return `token-${Object.keys(behaviours).indexOf(behaviour)}`;
}

/** A server that treats each token in its own way. */
export async function startHostileServer(): Promise<{ readonly baseUrl: string; close(): Promise<void> }> {
  const byToken = new Map<string, Answer>(
    Object.values(behaviours).map((answer, index) => [`Bearer token-${index}`, answer]),
  );
  const server = createServer((request, response) => {
    request.resume();
    const answer = byToken.get(request.headers.authorization ?? '') ?? kind;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
