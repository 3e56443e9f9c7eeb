import { type OutgoingHttpHeader, type OutgoingHttpHeaders, OutgoingMessage, ServerResponse } from 'node:http';
import { addLength } from './header-rules.ts';

/** Told of an answer that is held back. */
export interface Holder {
  /** The head is known. Nothing leaves before `release`. */
  begun: (status: number, head: string[]) => void;
  /** The last byte was given. */
  ended: () => void;
}

type HeadFields = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** So much of an answer waits before the product is asked to slow down. */
const bufferBytes = 64 * 1024;

/**
 * A response that a product in this process writes to as to any other, while the gateway decides when its first byte leaves, and with
 * which fields. A class, since Node builds each response itself from the one that its server is given.
 */
export class HeldResponse extends ServerResponse {
  #holder: Holder | undefined;
  #begun = false;
  #ended = false;
  #muted = false;
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** Did the product itself break its answer off? */
  brokenOff = false;

  /** From now on the product writes, and nothing leaves. */
  hold(holder: Holder): void {
    this.#holder = holder;
  }

  /** Drops what was held and sends the gateway's own answer; the product goes on writing to nobody. */
  answerInstead(send: () => void): void {
    this.#holder = undefined;
    this.#chunks = [];
    for (const name of this.getHeaderNames()) this.removeHeader(name);
    send();
    this.#muted = true;
  }

  /** Sends what was held with these fields; what the product writes later goes straight on. */
  release(status: number, head: string[]): void {
    this.#holder = undefined;
    const setByName = this.getHeaderNames();
    for (const name of setByName) this.removeHeader(name);
    const chunks = this.#chunks;
    this.#chunks = [];
    if (this.#ended) {
      const whole = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
      addLength(head, this.req.method ?? 'GET', status, whole.length);
      super.writeHead(status, setByName.length === 0 ? head : grouped(head));
      // A short text goes out in one write together with the head; latin1 keeps every byte as it is.
      if (whole.length < 16 * 1024) super.end(whole.toString('latin1'), 'latin1');
      else super.end(whole);
      return;
    }
    super.writeHead(status, setByName.length === 0 ? head : grouped(head));
    super.flushHeaders();
    let free = true;
    for (const chunk of chunks) free = super.write(chunk);
    if (free) this.emit('drain');
  }

  static {
    // Node defines both on a prototype further up, which is what the product must see of an answer that is held.
    const own = Object.getOwnPropertyDescriptors(OutgoingMessage.prototype);
    Object.defineProperties(HeldResponse.prototype, {
      headersSent: {
        configurable: true,
        get(this: HeldResponse): boolean {
          return this.#holder === undefined ? own.headersSent.get?.call(this) === true : this.#begun;
        },
      },
      writableEnded: {
        configurable: true,
        get(this: HeldResponse): boolean {
          return this.#holder === undefined ? own.writableEnded.get?.call(this) === true : this.#ended;
        },
      },
    });
  }

  override writeHead(status: number, reason?: string | HeadFields, fields?: HeadFields): this {
    if (this.#muted) return this;
    if (this.#holder === undefined) {
      if (typeof reason === 'string') return super.writeHead(status, reason, fields);
      return super.writeHead(status, reason);
    }
    if (this.#begun) throw new Error('the head of this answer was already given');
    this.#begun = true;
    this.#holder.begun(status, flatHead(this, typeof reason === 'string' ? fields : reason));
    return this;
  }

  override flushHeaders(): void {
    if (this.#muted) return;
    if (this.#holder === undefined) super.flushHeaders();
    else if (!this.#begun) this.writeHead(this.statusCode);
  }

  override setHeader(name: string, value: number | string | readonly string[]): this {
    return this.#muted ? this : super.setHeader(name, value);
  }

  override destroy(error?: Error): this {
    this.brokenOff = true;
    return super.destroy(error);
  }

  override write(chunk: unknown, encoding?: unknown, done?: unknown): boolean {
    if (this.#muted) return true;
    const told = typeof encoding === 'function' ? encoding : done;
    const bytes = bytesOf(chunk, encoding);
    if (this.#holder === undefined) {
      if (this.#ended) return false;
      return super.write(bytes, (error) => void (typeof told === 'function' && told(error)));
    }
    if (!this.#begun) this.writeHead(this.statusCode);
    this.#chunks.push(bytes);
    this.#bytes += bytes.length;
    if (typeof told === 'function') process.nextTick(told);
    return this.#bytes <= bufferBytes;
  }

  override end(chunk?: unknown, encoding?: unknown, done?: unknown): this {
    if (this.#muted) return this;
    // What the gateway itself sends goes on as it is.
    if (this.#holder === undefined && typeof chunk === 'string' && isEncoding(encoding))
      return super.end(chunk, encoding);
    const told = [chunk, encoding, done].find((each) => typeof each === 'function');
    const bytes =
      chunk === undefined || chunk === null || typeof chunk === 'function' ? undefined : bytesOf(chunk, encoding);
    if (this.#holder === undefined) {
      if (this.#ended) return this;
      if (bytes === undefined) super.end();
      else super.end(bytes);
    } else if (!this.#ended) {
      if (!this.#begun) this.writeHead(this.statusCode);
      if (bytes !== undefined) this.#chunks.push(bytes);
      this.#ended = true;
      this.#holder?.ended();
    }
    if (typeof told === 'function') this.once('finish', () => told());
    return this;
  }
}

function isEncoding(encoding: unknown): encoding is BufferEncoding {
  return typeof encoding === 'string' && Buffer.isEncoding(encoding);
}

function bytesOf(chunk: unknown, encoding: unknown): Buffer {
  if (typeof chunk === 'string') {
    return Buffer.from(chunk, isEncoding(encoding) ? encoding : 'utf8');
  }
  if (Buffer.isBuffer(chunk)) return chunk;
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  throw new TypeError('an answer is written as text or bytes');
}

/** Once a field was set by its name, Node takes a list of fields for such too, and would keep only the last of a name. */
function grouped(head: readonly string[]): OutgoingHttpHeaders {
  const fields: Record<string, string[]> = {};
  for (let index = 0; index + 1 < head.length; index += 2) {
    (fields[(head[index] ?? '').toLowerCase()] ??= []).push(head[index + 1] ?? '');
  }
  return fields;
}

/** The fields that were set one by one and those given with the head, which win, as a flat list. */
function flatHead(res: ServerResponse, given: HeadFields | undefined): string[] {
  const head: string[] = [];
  const add = (name: string, value: OutgoingHttpHeader | undefined): void => {
    if (Array.isArray(value)) for (const each of value) head.push(name, each);
    else if (value !== undefined) head.push(name, String(value));
  };
  if (Array.isArray(given)) {
    for (let index = 0; index + 1 < given.length; index += 2) add(String(given[index]), given[index + 1]);
  } else {
    for (const name in given) add(name, given[name]);
  }
  const set = res.getHeaderNames();
  if (set.length === 0) return head;
  const names = new Set(head.map((part, index) => (index % 2 === 0 ? part.toLowerCase() : '')));
  for (const name of set) if (!names.has(name)) add(name, res.getHeader(name));
  return head;
}
