import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/** What is used of the package that holds the engine. */
interface Engine {
  Session: new (folder: string) => { query: (statement: string) => string; close: () => void };
}

/** Parts of an address that are not settings of the engine. */
const notSettings = new Set(['query', 'query_id', 'database', 'session_id', 'wait_end_of_query', 'role']);
const quoted = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
/** Names are put into statements as they are. */
const nameSchema = z.string().regex(/^\w+$/);

/**
 * ClickHouse's HTTP interface in front of the engine in this process, as far as its official client uses it: statements in the body or the
 * address, parameters, settings, and errors with their codes. One statement at a time.
 */
export async function startClickHouse({ engine, folder }: { engine: string; folder: string }) {
  const { Session }: Engine = await import(engine);
  const session = new Session(folder);
  let isAway = false;

  const perform = (url: URL, body: string): string => {
    const settings: string[] = [];
    const use = url.searchParams.get('database');
    if (use !== null) session.query(`use ${nameSchema.parse(use)}`);
    for (const [name, value] of url.searchParams) {
      if (notSettings.has(name)) continue;
      session.query(`set ${nameSchema.parse(name)} = ${quoted(value)}`);
      if (!name.startsWith('param_')) settings.push(name);
    }
    try {
      const query = url.searchParams.get('query');
      return session.query(query === null ? body : `${query}\n${body}`);
    } finally {
      for (const name of settings) session.query(`set ${name} = default`);
    }
  };
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '/', 'http://localhost');
    if (isAway) {
      res.destroy();
      return;
    }
    const reply = (body: string): void => {
      try {
        respond(res, 200, perform(url, body));
      } catch (error) {
        const message = String(error instanceof Error ? error.message : error).replace(/^Query failed: /, '');
        const code = /Code: (\d+)/.exec(message)?.[1] ?? '1002';
        respond(res, 500, message, { 'x-clickhouse-exception-code': code });
      }
    };
    void text(req).then(reply, () => res.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    /** The address of one of its databases, which is created. */
    database: (name: string): string => {
      session.query(`create database if not exists ${nameSchema.parse(name)}`);
      return `clickhouse://127.0.0.1:${port}/${name}`;
    },
    /** Whether it answers nobody. */
    setAway: (away: boolean) => void (isAway = away),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      session.close();
    },
  };
}

function respond(res: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers });
  res.end(body);
}
