import type { Plan } from '../../../src/app/plan/plan.ts';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/index.ts';
import { isWrite } from '../import/real-import.ts';

/** Remembers under which identifier each contact of a sandbox was created: in a plan only that is known of it. */
export class Creations {
  readonly #byId = new Map<number, string>();
  #sandbox: Sandbox | undefined;

  /** An option of the sandbox that is to be watched. */
  readonly onPhase: SandboxOptions['onPhase'] = (phase, { method, template, path }) => {
    const isCreate = method === 'POST' && template === '/contact/{identifier}';
    const last = this.#sandbox?.contacts().at(-1);
    if (isCreate && phase === 'applied' && last && !this.#byId.has(last.id)) this.#byId.set(last.id, path);
  };

  watch(sandbox: Sandbox): void {
    this.#sandbox = sandbox;
    for (const { id } of sandbox.contacts()) this.#byId.set(id, `id:${id}`);
  }

  /** The contact as it is compared. */
  nameOf(id: number): string {
    return this.#byId.get(id) ?? `id:${id}`;
  }
}

/** Writes as they are compared, in one order. */
export interface Writes {
  readonly certain: readonly string[];
  /** Creates of tags: whether they are needed only the workspace says. */
  readonly tags: readonly string[];
}

/** The writes that reached a sandbox after the first `from` requests. */
export function sentWrites({ log }: Sandbox, from: number, creations: Creations): Writes {
  const writes = log.slice(from).filter(isWrite);
  const isTag = ({ method, path }: { readonly method: string; readonly path: string }) =>
    method === 'POST' && path === '/space/tag';
  const texts = (all: typeof writes) =>
    all.map(({ method, path, body }) => text(method, path, body, (id) => creations.nameOf(id))).sort();
  return {
    certain: texts(writes.filter((each) => !isTag(each))),
    tags: texts(writes.filter(isTag)),
  };
}

/** The writes of a plan; contacts that earlier imports created have their names of `creations`. */
export function plannedWrites({ file }: Pick<Plan, 'file'>, creations: Creations): Writes {
  const all = file
    .prepare<[], { method: string; path: string; body: string; template: string; perhaps: number }>(
      'SELECT * FROM request ORDER BY n',
    )
    .all();
  const created = all
    .filter(({ method, template }) => method === 'POST' && template === '/contact/{identifier}')
    .map(({ path }) => decodeURIComponent(path));
  const nameOf = (id: number) => (id >= 9e15 ? (created[id - 9e15] ?? '?') : creations.nameOf(id));
  const texts = (perhaps: number) =>
    all
      .filter((each) => each.perhaps === perhaps)
      .map(({ method, path, body }) => text(method, decodeURIComponent(path), JSON.parse(body), nameOf))
      .sort();
  return { certain: texts(0), tags: texts(1) };
}

function text(method: string, path: string, body: unknown, nameOf: (id: number) => string): string {
  const named = path.replace(/\/id:(\d+)/, (_, id) => `/${nameOf(Number(id))}`);
  const ids = path === '/contact/merge' ? mergedIn(body).map(nameOf) : [];
  const plain = path === '/contact/merge' ? { ...Object(body), contactIds: ids } : body;
  return JSON.stringify([method, named, plain]);
}

function mergedIn(body: unknown): readonly number[] {
  return typeof body === 'object' && body !== null && 'contactIds' in body && Array.isArray(body.contactIds)
    ? body.contactIds
    : [];
}
