import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * Reads a regular file, also through links. Throws for anything else, with a reason for people: a FIFO would block the process until
 * somebody writes, and a device never ends.
 */
export function readRegularFile(path: string, maxBytes: number): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const about = fstatSync(file);
    if (!about.isFile()) throw new Error(about.isDirectory() ? 'it is a folder' : 'it is not a regular file');
    if (about.size > maxBytes) throw new Error(`it has ${about.size} bytes, and at most ${maxBytes} are read`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
