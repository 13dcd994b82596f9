import { createReadStream, createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { AwsV4Signer } from 'aws4fetch';
import { type Dispatcher, request } from 'undici';
import { FatalError } from '../../../model/fatal-error.ts';
import type { Clock, Randomness } from '../../../model/ports.ts';
import { computeFileSha256 } from '../../../storage/checksum.ts';
import { type BucketListPage, parseBucketListPage, parseS3ErrorCode } from './list-page.ts';

/** The address of a bucket and its access keys. */
export interface BucketAccess {
  readonly bucket: string;
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The ports of a bucket's calls. */
export interface BucketPorts {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly signal: AbortSignal;
}

/** The maximum size of one PUT (bytes), 5 GiB; larger files would need a multipart upload. */
const mostBytes = 5 * 1024 ** 3;
/** The maximum number of pages of a listing: ten million objects at 1,000 a page. */
const mostPages = 10_000;
const attempts = 8;
const answerMs = 60_000;

type Answer = Dispatcher.ResponseData;

interface Call {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns a new body for each attempt, because a stream can be read only once. */
  readonly body?: () => Dispatcher.RequestOptions['body'];
  /** Status codes other than 200 that are not errors. */
  readonly expected?: readonly number[];
}

/**
 * A client of an S3-compatible bucket; each call is retried while the store is overloaded or unreachable. Throws a
 * FatalError: usage for a refused call, unreachable after the last attempt.
 */
export class BucketClient {
  readonly #access: BucketAccess;
  readonly #ports: BucketPorts;

  constructor(access: BucketAccess, ports: BucketPorts) {
    this.#access = access;
    this.#ports = ports;
  }

  /** Yields the objects whose keys begin with a prefix, page by page. */
  async *list(prefix: string): AsyncGenerator<BucketListPage['objects']> {
    const seen = new Set<string>();
    for (let token: string | undefined; ; ) {
      const query = { 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) };
      const { body } = await this.#call({ method: 'GET', key: '', query });
      const page = parseBucketListPage(await body.text());
      yield page.objects;
      if (page.next === undefined) return;
      token = page.next;
      if (seen.has(token) || seen.size >= mostPages) throw this.#endless(prefix);
      seen.add(token);
    }
  }

  /** Returns the text of an object; undefined if it does not exist. */
  async text(key: string): Promise<string | undefined> {
    const { statusCode, body } = await this.#call({ method: 'GET', key, expected: [404] });
    const text = await body.text();
    return statusCode === 404 ? undefined : text;
  }

  /** Downloads an object into a file, which is replaced only when the download is complete. */
  async fetch(key: string, path: string): Promise<void> {
    const part = `${path}.part`;
    await this.#retried(async () => {
      const { body } = await this.#send({ method: 'GET', key });
      await pipeline(body, createWriteStream(part, { mode: 0o600 }), { signal: this.#ports.signal });
    });
    await rename(part, path);
  }

  async putFile(key: string, path: string): Promise<void> {
    const { size } = await stat(path);
    if (size > mostBytes) {
      throw new FatalError('usage', `${path} has ${size} bytes; a bucket takes 5 GB in one piece.`, {
        next: 'Export into a shared folder instead, or in increments.',
      });
    }
    const headers = { 'content-length': String(size), 'x-amz-content-sha256': await computeFileSha256(path) };
    const { body } = await this.#call({ method: 'PUT', key, headers, body: () => createReadStream(path) });
    await body.dump();
  }

  /** Creates an object with a text; returns false if the object exists. */
  async putNew(key: string, text: string): Promise<boolean> {
    const headers = { 'if-none-match': '*', 'content-type': 'application/json' };
    const { statusCode, body } = await this.#call({
      ...{ method: 'PUT', key, headers, body: () => text },
      expected: [412],
    });
    await body.dump();
    return statusCode !== 412;
  }

  async remove(key: string): Promise<void> {
    const { body } = await this.#call({ method: 'DELETE', key, expected: [204, 404] });
    await body.dump();
  }

  #call(call: Call): Promise<Answer> {
    return this.#retried(() => this.#send(call));
  }

  /** Runs `attempt`; repeats it, with growing delays, after any error other than a FatalError. */
  async #retried<T>(attempt: () => Promise<T>): Promise<T> {
    const { clock, randomness, signal } = this.#ports;
    for (let n = 1; ; n += 1) {
      signal.throwIfAborted();
      try {
        return await attempt();
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof FatalError) throw error;
        if (n === attempts) throw this.#unreachable(error);
      }
      await clock.sleep(Math.min(10_000, 100 * 2 ** n) * (0.5 + randomness.next() / 2), signal);
    }
  }

  async #send({ method, key, query = {}, headers = {}, body, expected = [] }: Call): Promise<Answer> {
    const { accessKeyId, secretAccessKey, region } = this.#access;
    const { clock, signal } = this.#ports;
    const url = this.#urlOf(key, query);
    const signed = await new AwsV4Signer({
      ...{ method, url, headers, accessKeyId, secretAccessKey, region },
      service: 's3',
      datetime: new Date(clock.now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    }).sign();
    const signedHeaders: Record<string, string> = {};
    signed.headers.forEach((value, name) => {
      signedHeaders[name] = value;
    });
    const answer = await request(url, {
      method,
      headers: signedHeaders,
      body: body?.() ?? null,
      signal,
      headersTimeout: answerMs,
      bodyTimeout: answerMs,
    });
    const { statusCode } = answer;
    if (statusCode === 200 || expected.includes(statusCode)) return answer;
    const code = parseS3ErrorCode(await answer.body.text());
    const said = `${statusCode}${code === undefined ? '' : ` ${code}`}`;
    // 409 is temporary: another writer is creating the same object.
    if (statusCode >= 500 || statusCode === 429 || statusCode === 409) throw new Error(said);
    throw this.#refused(method, key, said);
  }

  #urlOf(key: string, query: Readonly<Record<string, string>>): string {
    const { bucket, endpoint } = this.#access;
    const path = key.split('/').map(encodeURIComponent).join('/');
    // The bucket is in the path, which every store accepts; in the host name, the certificate might not cover it.
    const url = new URL(`${endpoint.replace(/\/+$/, '')}/${bucket}/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  }

  #endless(prefix: string): FatalError {
    const { bucket, endpoint } = this.#access;
    return new FatalError(
      'input',
      `the list of s3://${bucket}/${prefix} does not end: ${new URL(endpoint).host} answers page after page.`,
      {
        next: 'Report it to whoever runs the store; or use a folder, or a prefix with fewer objects.',
      },
    );
  }

  #refused(method: string, key: string, said: string): FatalError {
    const { bucket } = this.#access;
    const what = method === 'GET' ? 'reading' : method === 'PUT' ? 'writing' : 'removing';
    return new FatalError('usage', `${what} s3://${bucket}/${key} was refused: ${said}.`, {
      next: 'Check the bucket, its region and endpoint, and what the keys may do.',
    });
  }

  #unreachable(cause: unknown): FatalError {
    const { bucket, endpoint } = this.#access;
    const detail = cause instanceof Error ? cause.message : String(cause);
    return new FatalError(
      'unreachable',
      `the bucket ${bucket} at ${new URL(endpoint).host} gave no answer: ${detail}.`,
      {
        next: 'The job is retried by itself.',
        cause,
      },
    );
  }
}
