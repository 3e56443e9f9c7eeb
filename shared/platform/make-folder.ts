import { accessSync, chmodSync, constants, existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileReason } from './file-reason.ts';

/**
 * Makes a folder and those above it, like `mkdir -p`, and throws where that can't be. Node's own `recursive` tries forever below a link to
 * nothing and in /proc: it makes the parent, which is there, and fails again. oven-sh/bun#36162 describes the same loop.
 */
export function makeFolder(path: string, mode?: number): void {
  try {
    make(resolve(path), mode);
  } catch (cause) {
    throw new Error(`The folder ${path} can't be made: ${fileReason(cause)}.`, { cause });
  }
}

/** The same for a folder into which this process will write, before it begins the work whose result goes there. */
export function makeWritableFolder(path: string, mode?: number): void {
  makeFolder(path, mode);
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(`Nothing can be written into ${path}: ${fileReason(cause)}.`, { cause });
  }
}

/**
 * The same for a folder that no other user may look into, also where it stands already. Of root's folders others may enter one below: root's
 * PostgreSQL runs as another user.
 */
export function makePrivateFolder(path: string): void {
  const allowed = process.getuid?.() === 0 ? 0o711 : 0o700;
  makeFolder(path, allowed);
  const { mode, uid } = statSync(path);
  if (uid === process.getuid?.() && (mode & 0o777 & ~allowed) !== 0) chmodSync(path, mode & allowed);
}

/** Throws where `makeWritableFolder` would, and leaves nothing behind. */
export function checkFolder(path: string): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.push(at);
  makeWritableFolder(path);
  for (const made of missing) rmdirSync(made);
}

function make(path: string, mode: number | undefined, hasParent = false): void {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (isFolder(path)) return;
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (hasParent || !isMissing) throw error;
    make(dirname(path), undefined);
    make(path, mode, true);
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
