import { sessionHeader } from '../wire/project.ts';
import { type AnswerOf, type BytesName, type RequestOf, routes } from '../wire/routes.ts';
import { buildAddress, handleFailedResponse, noAnswerProblem, RequestError } from './call.ts';
import { session } from './session.ts';

interface Sending {
  readonly signal: AbortSignal;
  /** Called with the number of sent bytes. */
  progress(bytes: number): void;
}

/** Uploads a file and returns the answer; throws a RequestError, or the reason of an abort. */
export async function sendBytes<N extends BytesName>(
  name: N,
  request: RequestOf<N>,
  bytes: Blob,
  { signal, progress }: Sending,
): Promise<AnswerOf<N>> {
  const route = routes[name];
  return await new Promise((resolve, reject) => {
    const sent = new XMLHttpRequest();
    sent.open(route.method, buildAddress(route, request).url);
    if (session.value !== null) sent.setRequestHeader(sessionHeader, session.value);
    sent.setRequestHeader('content-type', 'application/octet-stream');
    sent.upload.addEventListener('progress', ({ loaded }) => progress(loaded));
    sent.addEventListener('load', () => {
      if (sent.status >= 200 && sent.status < 300) resolve(JSON.parse(sent.responseText));
      else reject(handleFailedResponse(sent.status, sent.responseText));
    });
    sent.addEventListener('error', () => reject(new RequestError(noAnswerProblem)));
    sent.addEventListener('abort', () => reject(signal.reason));
    signal.addEventListener('abort', () => sent.abort(), { once: true });
    sent.send(bytes);
  });
}
