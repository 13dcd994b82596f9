import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

// A run has little live memory and much garbage. With this flag the heap grows by at most 40 % between two full
// collections; by default it may grow to four times its size. It is set before anything else is loaded, because V8 uses
// compiled code only with the flags that it was compiled with.
if (isMainThread) setFlagsFromString('--heap-growing-percent=40');

const here = fileURLToPath(import.meta.url);
const requirePackage = createRequire(here);
const loaded = new Map<string, { readonly script: Script; readonly module: { exports: unknown } }>();

/**
 * Runs a file of the built command, once, and returns its exports. Where the build has kept what V8 compiled of it, that
 * is used; V8 refuses it under another version or other flags, and compiles the file as if it was not there.
 */
export function loadFile(name: string): unknown {
  const known = loaded.get(name);
  if (known !== undefined) return known.module.exports;
  const path = join(dirname(here), name);
  const kept = compiledPath(path);
  // The bundle is ASCII: as Latin-1, V8 takes it as it is.
  const text = `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, 'latin1')}\n})`;
  const script = new Script(text, {
    filename: path,
    cachedData: existsSync(kept) ? readFileSync(kept) : undefined,
  });
  const module = { exports: {} };
  loaded.set(name, { script, module });
  script.runInThisContext()(module.exports, requireFromBundle, module, path, dirname(path));
  return module.exports;
}

/** Writes, beside each file that was loaded, what V8 has compiled of it up to now. */
export function keepCompiledCode(): void {
  for (const [name, { script }] of loaded) {
    const kept = compiledPath(join(dirname(here), name));
    // V8 does not notice that a file was cut off.
    writeFileSync(`${kept}.part`, script.createCachedData());
    renameSync(`${kept}.part`, kept);
  }
}

function requireFromBundle(id: string): unknown {
  return id.startsWith('./') ? loadFile(id.slice(2)) : requirePackage(id);
}

const compiledPath = (path: string): string => path.replace(/\.js$/, '.compiled');
