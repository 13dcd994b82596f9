/** What both sides know of one kind of request. */
interface Shape {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `:name` in it is the field of that name; the other fields are the query of a GET, and the JSON body of the others. */
  readonly path: `/api/${string}`;
  /** Whether it changes anything at all: refused under --read-only. */
  readonly changes: boolean;
  /** The fields that name a file or a folder of the project. */
  readonly paths: readonly string[];
}

/** A request with one answer. */
export interface Route<Request = unknown, Answer = unknown> extends Shape {
  readonly kind: 'answer';
  /** For the compiler only; never there. */
  readonly types?: { readonly request: Request; readonly answer: Answer };
}

/** A request that is answered by events, one after the other, until it has nothing more to say or is given up. */
export interface StreamRoute<Request = unknown, Event = unknown> extends Shape {
  readonly kind: 'stream';
  readonly types?: { readonly request: Request; readonly answer: Event };
}

/** A request with bytes for its body, and its fields in the path and the query. */
export interface BytesRoute<Request = unknown, Answer = unknown> extends Shape {
  readonly kind: 'bytes';
  readonly types?: { readonly request: Request; readonly answer: Answer };
}

export type AnyRoute = Route | StreamRoute | BytesRoute;

type More = Partial<Pick<Shape, 'paths'>>;

/** A GET. */
export function getRoute<Request, Answer>(
  path: Shape['path'],
  { paths = [] }: More = {},
): Route<Request, Answer> {
  return { kind: 'answer', method: 'GET', path, changes: false, paths };
}

/** A question that is too long for a query. */
export function questionRoute<Request, Answer>(
  path: Shape['path'],
  { paths = [] }: More = {},
): Route<Request, Answer> {
  return { kind: 'answer', method: 'POST', path, changes: false, paths };
}

/** What changes something. */
export function changeRoute<Request, Answer>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: Shape['path'],
  { paths = [] }: More = {},
): Route<Request, Answer> {
  return { kind: 'answer', method, path, changes: true, paths };
}

/** A GET that is answered by events. */
export function streamRoute<Request, Event>(
  path: Shape['path'],
  { paths = [] }: More = {},
): StreamRoute<Request, Event> {
  return { kind: 'stream', method: 'GET', path, changes: false, paths };
}

/** A question that is too long for a query, and is answered by events. */
export function postStream<Request, Event>(
  path: Shape['path'],
  { paths = [] }: More = {},
): StreamRoute<Request, Event> {
  return { kind: 'stream', method: 'POST', path, changes: false, paths };
}

/** What sends a file. */
export function uploadRoute<Request, Answer>(
  path: Shape['path'],
  { paths = [] }: More = {},
): BytesRoute<Request, Answer> {
  return { kind: 'bytes', method: 'PUT', path, changes: true, paths };
}
