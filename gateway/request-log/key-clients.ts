import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Pool } from 'pg';
import { callerAddress, type Networks } from '#platform/addresses.ts';

/** From where a key was used, and with which client. */
interface KeyUse {
  keyId: string;
  address: string;
  client: string;
  atMs: number;
}

/** Each connection is looked at once in this time, however many calls it carries. */
const everyMs = 30_000;
const maxPending = 10_000;
const maxClientLength = 80;

/** Remembers from where keys are used, for their owners: of each key the latest use per address, until it is written. */
export class KeyClients {
  readonly #proxies: Networks | undefined;
  #pending = new Map<string, KeyUse>();
  /** What was last noted of a connection. */
  #seen = new WeakMap<Socket, string>();
  #seenUntil = 0;

  constructor(proxies: Networks | undefined) {
    this.#proxies = proxies;
  }

  get pending(): number {
    return this.#pending.size;
  }

  note(keyId: string, req: IncomingMessage, atMs: number): void {
    if (atMs >= this.#seenUntil) {
      this.#seen = new WeakMap();
      this.#seenUntil = atMs + everyMs;
    }
    // Behind a proxy one connection carries the calls of many clients.
    const seen = this.#proxies === undefined ? keyId : `${keyId} ${String(req.headers['x-forwarded-for'])}`;
    if (this.#seen.get(req.socket) === seen) return;
    this.#seen.set(req.socket, seen);
    // PostgreSQL takes no zone (fe80::1%eth0).
    const address = callerAddress(req, this.#proxies).replace(/%.*$/, '');
    if (isIP(address) === 0 || this.#pending.size >= maxPending) return;
    const client = (req.headers['user-agent'] ?? '').replaceAll(/[^ -~]/g, '').slice(0, maxClientLength);
    this.#pending.set(`${keyId} ${address}`, { keyId, address, client, atMs });
  }

  /** Writes what was noted. Kept for the next time if the database fails. */
  async write(pool: Pool): Promise<void> {
    const uses = [...this.#pending.values()];
    if (uses.length === 0) return;
    const written = this.#pending;
    this.#pending = new Map();
    try {
      await writeUses(pool, uses);
    } catch (error) {
      this.#pending = new Map([...written, ...this.#pending]);
      throw error;
    }
  }
}

async function writeUses(pool: Pool, uses: readonly KeyUse[]): Promise<void> {
  await pool.query({
    name: 'note-key-clients',
    text: `
      insert into key_clients (key_id, network, address, client, first_at, last_at)
      select distinct on (key_id, network_of(address)) key_id, network_of(address), address, client, used_at, used_at
      from (
        select key_id, address::inet as address, client, to_timestamp(at_ms / 1000.0) as used_at
        from unnest($1::text[], $2::text[], $3::text[], $4::float8[]) as u (key_id, address, client, at_ms)
      ) u
      order by key_id, network_of(address), used_at desc
      on conflict (key_id, network) do update
        set address = excluded.address, client = excluded.client, last_at = excluded.last_at
        where key_clients.last_at <= excluded.last_at`,
    values: [
      uses.map(({ keyId }) => keyId),
      uses.map(({ address }) => address),
      uses.map(({ client }) => client),
      uses.map(({ atMs }) => atMs),
    ],
  });
}
