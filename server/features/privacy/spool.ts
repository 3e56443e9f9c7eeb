import { createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Reads a stream into a file at once, and gives the file as a stream: whoever downloads slowly then holds no connection to the database. The file
 * is gone when it is read, and nobody else can open it.
 */
export async function spooled(stream: Readable): Promise<{ content: Readable; bytes: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'octroi-export-'));
  try {
    const path = join(folder, 'export');
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
    const file = await open(path);
    const { size: bytes } = await file.stat();
    return { content: file.createReadStream(), bytes };
  } finally {
    stream.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}
