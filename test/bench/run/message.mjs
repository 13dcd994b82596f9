/** The next message of a process that was forked; an error where it ends before. */
export function message(child) {
  return new Promise((resolve, reject) => {
    const ended = (code) => reject(new Error(`${child.spawnargs.join(' ')} ended with ${code}`));
    child.once('exit', ended);
    child.once('error', reject);
    child.once('message', (said) => {
      child.off('exit', ended);
      child.off('error', reject);
      resolve(said);
    });
  });
}
