// A workspace in a process of its own, as cheap as node:http allows: what is measured is the client. It answers as late as users have
// it, takes load in one of several ways, may lose answers, and says what it has counted.
// Usage: stub-server.mjs JSON, with the keys that start-server.mjs explains.
import { createServer } from 'node:http';
import { answersOf } from './answers.mjs';
import { faultsOf } from './faults.mjs';
import { loadOf } from './load.mjs';
import { randomOf } from './random.mjs';

const options = JSON.parse(process.argv[2] ?? '{}');
const random = randomOf(options.seed ?? 1);
const load = loadOf({ ...options, random });
const answers = answersOf(options);
const faultOf = faultsOf(options.faults ?? 0, randomOf((options.seed ?? 1) + 1));
const none = {
  requests: 0,
  aboutContacts: 0,
  limited: 0,
  firstAt: null,
  firstCreateAt: null,
  lastCreateAt: null,
};
let counts = { ...none };

const server = createServer((request, response) => {
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => {
    const { method, url } = request;
    const isList = url.startsWith('/v1/contact/list');
    const isCreate = method === 'POST' && /^\/v1\/contact\/(?:email|phone):[^/]*$/.test(url);
    counts.requests += 1;
    counts.firstAt ??= Date.now();
    if (isCreate) counts.firstCreateAt ??= Date.now();
    if (!isList && url.startsWith('/v1/contact/')) counts.aboutContacts += 1;
    const fault = isList ? null : faultOf(method);
    const apply = () => answers(method, url, Buffer.concat(pieces));
    load({
      isAtOnce: isList && options.listAtOnce === true,
      answer() {
        if (isCreate) counts.lastCreateAt = Date.now();
        if (fault === null) send(response, apply());
        else fault(response, apply, send);
      },
      refuse() {
        counts.limited += 1;
        send(response, { status: 429, body: tooMany, headers: { 'retry-after': '1' } });
      },
    });
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', () => {
  process.send({ ...counts, peak: load.peak(), ...answers.effects() });
  counts = { ...none };
});
process.on('disconnect', () => process.exit());

const tooMany = JSON.stringify({ code: 429, message: 'Too Many Requests' });

function send(response, { status, body, headers = {} }) {
  const length = Buffer.byteLength(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': length,
    ...headers,
  });
  response.end(body);
}
