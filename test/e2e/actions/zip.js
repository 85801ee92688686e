/**
 * Writes zip files, honest ones and others: names and figures are taken as they are given.
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */

import { crc32, deflateRawSync } from 'node:zlib';

const DEFLATED = 8;
const UNIX = 3 << 8;

/**
 * mode: as `stat` has it, a regular file where absent; claims: the uncompressed size told, the true one where
 * absent
 * @typedef {{ name: string, data: Buffer | string, mode?: number, claims?: number }} Entry
 */

/** @type {(entries: Entry[]) => Buffer} */
export function zip(entries) {
  let offset = 0;
  const files = entries.map(({ name, data, mode = 0o100644, claims }) => {
    const content = Buffer.from(data);
    const packed = deflateRawSync(content);
    const path = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2);
    common.writeUInt16LE(DEFLATED, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claims ?? content.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, path, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    const version = Buffer.alloc(2);
    version.writeUInt16LE(UNIX | 20);
    offset += local.length;
    return {
      local,
      central: Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), version, common, rest, path]),
    };
  });
  const central = Buffer.concat(files.map((file) => file.central));
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([
    ...files.map((file) => file.local),
    central,
    Buffer.from('PK\x05\x06', 'latin1'),
    end,
  ]);
}
