import { once } from 'node:events';
import { createWriteStream, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { SMTPServer } from 'smtp-server';

/** A mail server that delivers nothing: each mail becomes a file of the folder, such as `000001.eml`. */
export async function startMailServer(options: { port: number; user: string; password: string; folder: string }) {
  const { folder } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let mails = Math.max(0, ...readdirSync(folder).map((name) => Number.parseInt(name, 10) || 0));
  const server = new SMTPServer({
    // On loopback alone, so without TLS.
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 500,
    onAuth: ({ username, password }, _session, done) =>
      username === options.user && password === options.password
        ? done(null, { user: username })
        : done(new Error('wrong user or password')),
    onData: (stream, _session, done) => {
      mails += 1;
      const file = join(folder, `${String(mails).padStart(6, '0')}.eml`);
      // A reader finds whole mails only.
      pipeline(stream, createWriteStream(`${file}.part`, { mode: 0o600 }), (error) => {
        if (!error) renameSync(`${file}.part`, file);
        done(error);
      });
    },
  });
  // A client that goes away is no fault of the server.
  server.on('error', () => undefined);
  await once(server.listen(options.port, '127.0.0.1'), 'listening');
  return {
    url: `smtp://127.0.0.1:${options.port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
      }),
  };
}
