import { createWriteStream, existsSync, openSync, renameSync, rmSync, statSync, type WriteStream } from 'node:fs';

const keptFiles = 5;

export interface LogFile {
  write: (line: string) => void;
  close: () => Promise<void>;
}

/** A log file that is rotated to `.1`, `.2`, … `.5` when it has grown to `maxBytes`; the oldest is deleted. */
export function openLogFile(path: string, maxBytes = 20_000_000): LogFile {
  let bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let stream = open(path);
  return {
    write: (line) => {
      if (bytes >= maxBytes) {
        stream.end();
        rotate(path);
        stream = open(path);
        bytes = 0;
      }
      stream.write(`${line}\n`);
      bytes += Buffer.byteLength(line) + 1;
    },
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  };
}

function open(path: string): WriteStream {
  // Opened now: opened later, it might be rotated before it exists.
  const stream = createWriteStream(path, { fd: openSync(path, 'a', 0o600) });
  // A full disk must not end the processes that write the log.
  stream.on('error', () => {});
  return stream;
}

function rotate(path: string): void {
  rmSync(`${path}.${keptFiles}`, { force: true });
  for (let number = keptFiles - 1; number >= 0; number -= 1) {
    const from = number === 0 ? path : `${path}.${number}`;
    if (existsSync(from)) renameSync(from, `${path}.${number + 1}`);
  }
}
