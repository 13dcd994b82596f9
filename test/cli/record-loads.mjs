// With `node --import` in front of a program: writes the address of each module that it loads to the file LOADED_MODULES.
import { appendFileSync } from 'node:fs';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// Node runs what loads modules in a thread of its own.
if (isMainThread) register(import.meta.url);

export async function load(url, context, next) {
  appendFileSync(process.env.LOADED_MODULES, `${url}\n`);
  return await next(url, context);
}
