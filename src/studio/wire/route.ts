/** The fields that all kinds of routes have. */
interface Shape {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /**
   * `:name` stands for the field of that name; the other fields are the query of a GET or upload, else the JSON body.
   */
  readonly path: `/api/${string}`;
  /** True for a route that changes something, which --read-only refuses. */
  readonly changes: boolean;
  /** The fields that name a file or a folder of the project. */
  readonly paths: readonly string[];
}

/** A route with one answer to each request. */
export interface Route<Request = unknown, Answer = unknown> extends Shape {
  readonly kind: 'answer';
  /** Only carries the types for the compiler, and is never set. */
  readonly types?: { readonly request: Request; readonly answer: Answer };
}

/** A route that answers each request with a stream of events, until it ends or the page closes it. */
export interface StreamRoute<Request = unknown, Event = unknown> extends Shape {
  readonly kind: 'stream';
  readonly types?: { readonly request: Request; readonly answer: Event };
}

/** A route whose request has a file as its body, and its fields in the path and the query. */
export interface UploadRoute<Request = unknown, Answer = unknown> extends Shape {
  readonly kind: 'bytes';
  readonly types?: { readonly request: Request; readonly answer: Answer };
}

/** A route that answers with the bytes of a file. */
export interface FileRoute<Request = unknown> extends Shape {
  readonly kind: 'file';
  readonly types?: { readonly request: Request; readonly answer: Blob };
}

export type AnyRoute = Route | StreamRoute | UploadRoute | FileRoute;

type More = Partial<Pick<Shape, 'paths'>>;

/** Defines a GET that changes nothing. */
export function defineGetRoute<Request, Answer>(
  path: Shape['path'],
  { paths = [] }: More = {},
): Route<Request, Answer> {
  return { kind: 'answer', method: 'GET', path, changes: false, paths };
}

/** Defines a POST that changes nothing, for a request that is too long for a query. */
export function definePostQueryRoute<Request, Answer>(
  path: Shape['path'],
  { paths = [] }: More = {},
): Route<Request, Answer> {
  return { kind: 'answer', method: 'POST', path, changes: false, paths };
}

/** Defines a request that changes something. */
export function defineChangeRoute<Request, Answer>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: Shape['path'],
  { paths = [] }: More = {},
): Route<Request, Answer> {
  return { kind: 'answer', method, path, changes: true, paths };
}

/** Defines a GET that is answered by events. */
export function defineStreamRoute<Request, Event>(
  path: Shape['path'],
  { paths = [] }: More = {},
): StreamRoute<Request, Event> {
  return { kind: 'stream', method: 'GET', path, changes: false, paths };
}

/** Defines a POST that is answered by events, for a request that is too long for a query. */
export function definePostStreamRoute<Request, Event>(
  path: Shape['path'],
  { paths = [] }: More = {},
): StreamRoute<Request, Event> {
  return { kind: 'stream', method: 'POST', path, changes: false, paths };
}

/** Defines a GET that is answered with the bytes of a file. */
export function defineFileRoute<Request>(path: Shape['path']): FileRoute<Request> {
  return { kind: 'file', method: 'GET', path, changes: false, paths: [] };
}

/** Defines a PUT that uploads a file. */
export function defineUploadRoute<Request, Answer>(
  path: Shape['path'],
  { paths = [] }: More = {},
): UploadRoute<Request, Answer> {
  return { kind: 'bytes', method: 'PUT', path, changes: true, paths };
}
