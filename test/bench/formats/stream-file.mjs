// Files written from pieces of text, however large they become.
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw, createGzip } from 'node:zlib';

const gathered = 256 * 1024;

export async function writeFileOf(path, texts, { gzip = false } = {}) {
  const out = createWriteStream(path);
  await pipeline(Readable.from(buffers(texts)), ...(gzip ? [createGzip()] : []), out);
}

/** A zip whose members come as `[name, pieces of text]`; sizes and checksums are filled in behind what was written. */
export async function writeZip(path, members) {
  const file = await open(path, 'w');
  const directory = [];
  let at = 0;
  for (const [name, texts] of members) {
    const header = localHeader(name);
    await file.write(header, 0, header.length, at);
    const body = await deflated(file, at + header.length, texts);
    fillIn(header, 14, body);
    await file.write(header, 0, header.length, at);
    directory.push(centralEntry(header, name, at));
    at += header.length + body.packed;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  await file.write(Buffer.concat([central, end]), 0, central.length + end.length, at);
  await file.close();
}

async function deflated(file, from, texts) {
  let [crc, bytes, packed] = [0, 0, 0];
  const counted = async function* () {
    for (const piece of buffers(texts)) {
      crc = crc32(piece, crc);
      bytes += piece.length;
      yield piece;
    }
  };
  await pipeline(Readable.from(counted()), createDeflateRaw({ level: 1 }), async (pieces) => {
    for await (const piece of pieces) {
      await file.write(piece, 0, piece.length, from + packed);
      packed += piece.length;
    }
  });
  return { crc, bytes, packed };
}

function localHeader(name) {
  const header = Buffer.alloc(30 + name.length);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(8, 8);
  header.writeUInt16LE(0x21, 12);
  header.writeUInt16LE(name.length, 26);
  header.write(name, 30);
  return header;
}

function fillIn(header, at, { crc, packed, bytes }) {
  header.writeUInt32LE(crc, at);
  header.writeUInt32LE(packed, at + 4);
  header.writeUInt32LE(bytes, at + 8);
}

function centralEntry(header, name, offset) {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  const mark = Buffer.from('PK\x01\x02\x14\x00', 'latin1');
  return Buffer.concat([mark, header.subarray(4, 30), rest, Buffer.from(name)]);
}

function* buffers(texts) {
  let text = '';
  for (const piece of texts) {
    text += piece;
    if (text.length < gathered) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}
