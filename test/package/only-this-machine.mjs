// Loaded before a command that has to work without a network: what it connects to elsewhere ends it.
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';

const near = [undefined, '127.0.0.1', '::1', 'localhost'];
const { connect } = Socket.prototype;

Socket.prototype.connect = function (...args) {
  // Its options, also as net.connect prepares them; or a port with a host, if any; or the path of a Unix socket.
  const [first, second] = args.flat();
  const host = typeof first === 'object' ? first.host : typeof second === 'string' ? second : undefined;
  if (!near.includes(host)) {
    writeSync(2, `A connection to ${host}.\n`);
    process.exit(86);
  }
  return connect.apply(this, args);
};
