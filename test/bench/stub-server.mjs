// A workspace that knows nobody and accepts everything as fast as node:http can: what is measured is the client.
import { createServer } from 'node:http';

const page = JSON.stringify({ items: [], pagination: { next: '', previous: '' } });
const users = JSON.stringify({
  items: [
    {
      id: 1,
      firstName: 'A',
      lastName: 'B',
      email: 'a@example.com',
      role: 'owner',
      team: null,
      restrictions: [],
    },
  ],
  pagination: { next: '', previous: '' },
});
const absent = JSON.stringify({ code: 404, message: 'Contact not found' });
const created = JSON.stringify({ code: '200', message: 'ok' });

const server = createServer((request, response) => {
  request.on('data', () => {});
  request.on('end', () => {
    const url = request.url ?? '';
    if (request.method === 'GET' && url.startsWith('/v1/contact/')) return answer(response, 404, absent);
    if (request.method === 'POST' && !url.startsWith('/v1/contact/list'))
      return answer(response, 200, created);
    return answer(response, 200, url.includes('/user') ? users : page);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));

function answer(response, status, body) {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
