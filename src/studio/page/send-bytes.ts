import { sessionHeaderName } from '../wire/project.ts';
import { type RouteAnswer, type RouteRequest, routes, type UploadRouteName } from '../wire/routes.ts';
import { buildRequestUrl, getLostAnswerProblem, RequestError, toRequestError } from './call.ts';
import { sessionToken } from './session.ts';

interface Sending {
  readonly signal: AbortSignal;
  /** Called with the number of sent bytes. */
  progress(bytes: number): void;
}

/** Uploads a file and returns the answer; throws a RequestError, or the reason of an abort. */
export async function uploadFile<N extends UploadRouteName>(
  name: N,
  request: RouteRequest<N>,
  bytes: Blob,
  { signal, progress }: Sending,
): Promise<RouteAnswer<N>> {
  const route = routes[name];
  return await new Promise((resolve, reject) => {
    const sent = new XMLHttpRequest();
    sent.open(route.method, buildRequestUrl(route, request).url);
    const token = sessionToken.value;
    if (token !== null) sent.setRequestHeader(sessionHeaderName, token);
    sent.setRequestHeader('content-type', 'application/octet-stream');
    sent.upload.addEventListener('progress', ({ loaded }) => progress(loaded));
    sent.addEventListener('load', () => {
      if (sent.status >= 200 && sent.status < 300) resolve(JSON.parse(sent.responseText));
      else reject(toRequestError(sent.status, sent.responseText, token));
    });
    sent.addEventListener('error', () => reject(new RequestError(getLostAnswerProblem(route))));
    sent.addEventListener('abort', () => reject(signal.reason));
    signal.addEventListener('abort', () => sent.abort(), { once: true });
    sent.send(bytes);
  });
}
