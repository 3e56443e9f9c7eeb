import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Pool } from 'pg';
import { callerAddress, type Networks } from '#shared/platform/addresses.ts';

/** From where a key was used, and with which client. */
interface KeyUse {
  keyId: string;
  address: string;
  client: string;
  atMs: number;
}

/** In this time, further calls of a key from the same address with the same client are not looked at again. */
const everyMs = 30_000;
const maxPending = 10_000;
/** Longer addresses and clients are not remembered. */
const maxRememberedLength = 300;
const maxClientLength = 80;

/** Remembers from where keys are used, for their owners: of each key the latest use per address, until it is written. */
export class KeyClients {
  readonly #proxies: Networks | undefined;
  #pending = new Map<string, KeyUse>();
  /** Of each key, the client last noted per address. By key and not by connection, since a connection may carry the calls of many keys. */
  #seen = new Map<string, Map<string, string>>();
  #seenAddresses = 0;
  #seenUntil = 0;

  constructor(proxies: Networks | undefined) {
    this.#proxies = proxies;
  }

  get pending(): number {
    return this.#pending.size;
  }

  note(keyId: string, req: IncomingMessage, atMs: number): void {
    const { remoteAddress = '' } = req.socket;
    const { 'user-agent': agent = '', 'x-forwarded-for': forwarded } = req.headers;
    const from = this.#proxies === undefined ? remoteAddress : `${remoteAddress} ${String(forwarded)}`;
    if (atMs < this.#seenUntil && this.#seen.get(keyId)?.get(from) === agent) return;
    this.#remember(keyId, from, agent, atMs);
    // PostgreSQL takes no zone (fe80::1%eth0).
    const address = callerAddress(req, this.#proxies).replace(/%.*$/, '');
    if (isIP(address) === 0 || this.#pending.size >= maxPending) return;
    const client = agent.replaceAll(/[^ -~]/g, '').slice(0, maxClientLength);
    this.#pending.set(`${keyId} ${address}`, { keyId, address, client, atMs });
  }

  #remember(keyId: string, from: string, agent: string, atMs: number): void {
    if (atMs >= this.#seenUntil || this.#seenAddresses >= maxPending) {
      this.#seen = new Map();
      this.#seenAddresses = 0;
      this.#seenUntil = atMs + everyMs;
    }
    if (from.length + agent.length > maxRememberedLength) return;
    let seen = this.#seen.get(keyId);
    if (seen === undefined) this.#seen.set(keyId, (seen = new Map<string, string>()));
    if (!seen.has(from)) this.#seenAddresses += 1;
    seen.set(from, agent);
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
