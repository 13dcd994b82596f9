// With `node --import` in front of a program: writes the address of each file that it loads to the file LOADED_MODULES, and
// of which it used compiled code, or refused it.
import { appendFileSync } from 'node:fs';
import { register, syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const write = (text) => appendFileSync(process.env.LOADED_MODULES, `${text}\n`);

// Node runs what loads modules in a thread of its own.
if (isMainThread) {
  register(import.meta.url);
  vm.Script = class extends vm.Script {
    constructor(code, options) {
      super(code, options);
      write(pathToFileURL(options.filename).href);
      if (options.cachedData)
        write(`${this.cachedDataRejected ? 'refused' : 'compiled'}: ${options.filename}`);
    }
  };
  syncBuiltinESMExports();
}

export async function load(url, context, next) {
  write(url);
  return await next(url, context);
}
