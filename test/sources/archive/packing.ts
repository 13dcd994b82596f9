import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** A member of an archive; what is stated of it can be made to differ from what it is. */
export interface Packed {
  readonly name: string;
  readonly content: string | Buffer;
  readonly encrypted?: boolean;
  /** The unpacked size that a zip states of it. */
  readonly statedSize?: number;
  readonly statedCrc?: number;
  /** The type flag of a tar header, which a zip of Unix says otherwise: 0 is a file, 2 a symbolic link. */
  readonly type?: string;
}

/** A zip of these members, deflated. */
export function zip(...members: readonly Packed[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const content = Buffer.from(member.content);
    const name = Buffer.from(member.name);
    const body = deflateRawSync(content);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(0x800 | (member.encrypted === true ? 1 : 0), 2);
    about.writeUInt16LE(8, 4);
    about.writeUInt16LE(0x21, 8);
    about.writeUInt32LE(member.statedCrc ?? crc32(content), 10);
    about.writeUInt32LE(body.length, 14);
    about.writeUInt32LE(member.statedSize ?? content.length, 18);
    about.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), about, name, body]);
    const rest = Buffer.alloc(14);
    // Made by Unix (3), whose file mode is in the upper half of the attributes.
    if (member.type === '2') rest.writeUInt32LE(0o120777 * 0x10000, 10 - 4);
    rest.writeUInt32LE(offset, 10);
    locals.push(local);
    const by = member.type === '2' ? 3 : 0;
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14'), Buffer.from([by]), about, rest, name]));
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** A tar of these members. */
export function tar(...members: readonly Packed[]): Buffer {
  const blocks = members.flatMap((member) => {
    const content = Buffer.from(member.content);
    return [tarHeader(member, content.length), content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** A gzipped tar of these members. */
export function tarGz(...members: readonly Packed[]): Buffer {
  return gzipSync(tar(...members));
}

function tarHeader({ name, type = '0', statedSize }: Packed, size: number): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write('0000644\0', 100);
  header.write('0000000\x000000000\0', 108);
  header.write(`${(statedSize ?? size).toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write(' '.repeat(8), 148);
  header.write(type, 156);
  if (type === '2') header.write('elsewhere', 157);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
