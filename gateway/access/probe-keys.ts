import type { IncomingMessage } from 'node:http';
import { probeKeysMs } from '#shared/database/gateway-probe.ts';

/** More than one doctor at work, and no more memory for whoever can notify. */
const maxKeys = 100;

/** Keys of `octroi doctor`, good for two minutes and for one path of each API: the one that tells whether it is well. */
export class ProbeKeys {
  readonly #until = new Map<string, number>();

  add(key: string, elapsedMs: number): void {
    for (const [known, until] of this.#until) if (until <= elapsedMs) this.#until.delete(known);
    if (this.#until.size < maxKeys) this.#until.set(key, elapsedMs + probeKeysMs);
  }

  /** Whether a request with this key, which belongs to nobody, is a probe. */
  allows(key: string, req: IncomingMessage, elapsedMs: number): boolean {
    if (this.#until.size === 0 || req.method !== 'GET') return false;
    return elapsedMs < (this.#until.get(key) ?? 0);
  }
}
