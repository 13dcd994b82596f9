// With `node --import` in front of the command: every command waits for ever, for nothing that keeps the process alive.
import vm from 'node:vm';

const { runInThisContext } = vm.Script.prototype;

vm.Script.prototype.runInThisContext = function (...args) {
  const run = runInThisContext.apply(this, args);
  return (exports, ...others) => {
    run(exports, ...others);
    if (exports.runCommandLine === undefined) return;
    Object.defineProperty(others[1], 'exports', { value: { runCommandLine: () => new Promise(() => {}) } });
  };
};
