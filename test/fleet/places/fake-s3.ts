import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A store that speaks the little of S3 that the fleet needs, over real HTTP. */
export interface FakeS3 {
  readonly endpoint: string;
  readonly objects: Map<string, Buffer>;
  /** What it was asked, as `PUT bucket/key`, and answered. */
  readonly log: { readonly asked: string; readonly status: number }[];
  /** Refuses every n-th request with 500 or 503, or drops its connection after it did what was asked. */
  misbehave(every: number): void;
  /** Answers every list with these continuation tokens, one after the other and from the first again. */
  repeatTokens(tokens: readonly string[]): void;
  close(): Promise<void>;
}

export const keys = { accessKeyId: 'the-key', secretAccessKey: 'the-secret' };
const region = 'us-east-1';
const pageSize = 2;

interface Reply {
  readonly status: number;
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
}

export async function startFakeS3(bucket: string): Promise<FakeS3> {
  const objects = new Map<string, Buffer>();
  const log: { asked: string; status: number }[] = [];
  let every = 0;
  let tokens: readonly string[] = [];
  let asked = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks);
    asked += 1;
    const fault = every > 0 && asked % every === 0 ? ['500', '503', 'drop'][(asked / every) % 3] : undefined;
    if (fault === '500' || fault === '503')
      return end(request, response, { status: Number(fault), body: '<Error><Code>SlowDown</Code></Error>' });
    const reply = answer(request, body);
    if (fault === 'drop') return void request.socket.destroy();
    end(request, response, reply);
  });

  function end(
    request: IncomingMessage,
    response: ServerResponse,
    { status, body = '', headers = {} }: Reply,
  ) {
    log.push({ asked: `${request.method} ${request.url}`, status });
    response.writeHead(status, headers).end(body);
  }

  function answer(request: IncomingMessage, body: Buffer): Reply {
    const url = new URL(request.url ?? '/', 'http://store');
    const wrong = signatureMistake(request, url, body);
    if (wrong !== undefined) return { status: 403, body: `<Error><Code>${wrong}</Code></Error>` };
    const [, first = '', ...rest] = url.pathname.split('/');
    if (first !== bucket) return { status: 404, body: '<Error><Code>NoSuchBucket</Code></Error>' };
    const key = rest.map(decodeURIComponent).join('/');
    if (key === '') return list(url);
    const found = objects.get(key);
    switch (request.method) {
      case 'GET':
        return found === undefined
          ? { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' }
          : { status: 200, body: found, headers: { etag: etagOf(found) } };
      case 'PUT':
        if (request.headers['content-length'] === undefined) return { status: 411 };
        if (request.headers['if-none-match'] === '*' && found !== undefined) return { status: 412 };
        objects.set(key, body);
        return { status: 200, headers: { etag: etagOf(body) } };
      case 'DELETE':
        objects.delete(key);
        return { status: 204 };
      default:
        return { status: 405 };
    }
  }

  function list(url: URL): Reply {
    const prefix = url.searchParams.get('prefix') ?? '';
    const after = url.searchParams.get('continuation-token') ?? '';
    const keysThere = [...objects.keys()].sort().filter((key) => key.startsWith(prefix) && key > after);
    const page = keysThere.slice(0, pageSize);
    const more = keysThere.length > page.length;
    const contents = page.map(
      (key) =>
        `<Contents><Key>${escaped(key)}</Key><ETag>${escaped(etagOf(objects.get(key) ?? Buffer.of()))}</ETag><Size>1</Size></Contents>`,
    );
    const repeated = tokens[(tokens.indexOf(after) + 1) % tokens.length];
    if (repeated !== undefined)
      return {
        status: 200,
        body: `<ListBucketResult><NextContinuationToken>${repeated}</NextContinuationToken></ListBucketResult>`,
      };
    const next = more ? `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>` : '';
    return {
      status: 200,
      body: `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    };
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    objects,
    log,
    repeatTokens: (repeated) => {
      tokens = repeated;
    },
    misbehave: (n) => {
      every = n;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}

/** Signs what came by the rules of Amazon's version 4, from the specification, and compares. */
function signatureMistake(request: IncomingMessage, url: URL, body: Buffer): string | undefined {
  const shape =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, key, day = '', zone, signed = '', signature] =
    shape.exec(request.headers.authorization ?? '') ?? [];
  if (key !== keys.accessKeyId || zone !== region) return 'AccessDenied';
  const hash = String(request.headers['x-amz-content-sha256']);
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const query = [...url.searchParams]
    .sort()
    .map(([name, value]) => `${strict(name)}=${strict(value)}`)
    .join('&');
  const headers = signed
    .split(';')
    .map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
    .join('');
  const path = url.pathname
    .split('/')
    .map((part) => strict(decodeURIComponent(part)))
    .join('/');
  const canonical = [request.method, path, query, headers, signed, hash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const signingKey = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${keys.secretAccessKey}`,
  );
  const expected = createHmac('sha256', signingKey).update(text).digest('hex');
  return signature === expected ? undefined : 'SignatureDoesNotMatch';
}

function strict(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
