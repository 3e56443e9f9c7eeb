import {
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  OutgoingMessage,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import { accessorOf } from '#gateway/node/accessors.ts';
import { fieldsOf, groupedByName } from './header-rules.ts';
import { WholeResponse, wholeOf } from './whole-response.ts';

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

/** What is known of an answer that is, or was, held back. One object, since a response has room for few more fields. */
class Held {
  /** Undefined once it is released. */
  holder: Holder | undefined;
  begun = false;
  ended = false;
  /** The gateway answered instead. */
  muted = false;
  /** Were fields set by their names? */
  named = false;
  brokenOff = false;
  /** All of an answer that was given as one text in ASCII. */
  text: string | undefined;
  chunks: Buffer[] | undefined;
  bytes = 0;

  constructor(holder: Holder) {
    this.holder = holder;
  }

  push(bytes: Buffer): void {
    this.bytes += bytes.length;
    if (this.chunks === undefined) this.chunks = [bytes];
    else this.chunks.push(bytes);
  }

  takeChunks(): Buffer[] {
    const chunks = this.chunks ?? [];
    this.chunks = undefined;
    return chunks;
  }
}

/**
 * A response that a product in this process writes to as to any other, while the gateway decides when its first byte leaves, and with
 * which fields.
 */
export class HeldResponse extends WholeResponse {
  #held: Held | undefined;

  /** From now on the product writes, and nothing leaves. */
  hold(holder: Holder): void {
    this.#held = new Held(holder);
  }

  /** Did the product itself break its answer off? */
  get brokenOff(): boolean {
    return this.#held?.brokenOff === true;
  }

  /** Drops what was held and sends the gateway's own answer; the product goes on writing to nobody. */
  answerInstead(send: () => void): void {
    const held = this.#held;
    this.#held = undefined;
    this.statusMessage = '';
    for (const name of this.getHeaderNames()) this.removeHeader(name);
    send();
    if (held === undefined) return;
    held.holder = undefined;
    held.muted = true;
    held.text = undefined;
    held.chunks = undefined;
    this.#held = held;
  }

  /** Sends what was held with these fields, and the gateway's own as lines; what the product writes later goes straight on. */
  release(status: number, head: readonly string[], own: string): void {
    const held = this.#held;
    if (held === undefined) return;
    held.holder = undefined;
    // Its own words for a status are the product's; nothing has looked at them.
    this.statusMessage = '';
    const setByName = this.getHeaderNames();
    held.named = setByName.length > 0;
    for (const name of setByName) this.removeHeader(name);
    if (held.ended) {
      this.sendWhole(status, head, held.text ?? wholeOf(held.takeChunks()), own);
      return;
    }
    this.writeHead(status, [...head, ...fieldsOf(own)]);
    super.flushHeaders();
    let free = true;
    for (const chunk of held.takeChunks()) free = super.write(chunk);
    if (free) this.emit('drain');
  }

  static {
    // Node defines both on a prototype further up, which is what the product must see of an answer that is held.
    const headersSent = accessorOf(OutgoingMessage, 'headersSent');
    const writableEnded = accessorOf(OutgoingMessage, 'writableEnded');
    Object.defineProperties(HeldResponse.prototype, {
      headersSent: {
        configurable: true,
        get(this: HeldResponse): boolean {
          const held = this.#held;
          return held?.holder === undefined ? headersSent.get?.call(this) === true : held.begun;
        },
      },
      writableEnded: {
        configurable: true,
        get(this: HeldResponse): boolean {
          const held = this.#held;
          return held?.holder === undefined ? writableEnded.get?.call(this) === true : held.ended;
        },
      },
    });
  }

  override writeHead(status: number, reason?: string | HeadFields, fields?: HeadFields): this {
    const held = this.#held;
    if (held?.muted === true) return this;
    if (held?.holder === undefined) {
      if (typeof reason === 'string') return super.writeHead(status, reason, fields);
      // Once a field was set by its name, Node takes a list of fields for such too, and would keep only the last of a name.
      return super.writeHead(status, held?.named === true && isFlat(reason) ? groupedByName(reason) : reason);
    }
    if (held.begun) throw new Error('the head of this answer was already given');
    // As Node does, which takes any number for a status. An interim answer is no answer.
    const whole = Math.trunc(status);
    if (!(whole >= 200 && whole <= 999)) throw new RangeError(`an answer cannot have the status ${status}`);
    const head = flatHead(this, typeof reason === 'string' ? fields : reason);
    held.begun = true;
    held.holder.begun(whole, head);
    return this;
  }

  override flushHeaders(): void {
    const held = this.#held;
    if (held?.muted === true) return;
    if (held?.holder === undefined) super.flushHeaders();
    else if (!held.begun) this.writeHead(this.statusCode);
  }

  override setHeader(name: string, value: number | string | readonly string[]): this {
    return this.#held?.muted === true ? this : super.setHeader(name, value);
  }

  override destroy(error?: Error): this {
    // With the connection gone it isn't the product that ends the response.
    if (this.#held !== undefined && !this.req.socket.destroyed) this.#held.brokenOff = true;
    return super.destroy(error);
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    return this.#held?.muted === true ? this : super.appendHeader(name, value);
  }

  override write(chunk: unknown, encoding?: unknown, done?: unknown): boolean {
    const held = this.#held;
    if (held?.muted === true) return true;
    if (held?.ended === true) return false;
    const told = typeof encoding === 'function' ? encoding : done;
    const bytes = bytesOf(chunk, encoding);
    // Some answers may leave as soon as their head is given.
    if (held?.holder !== undefined && !held.begun) this.writeHead(this.statusCode);
    if (held?.holder === undefined) {
      return super.write(bytes, (error) => void (typeof told === 'function' && told(error)));
    }
    held.push(bytes);
    if (typeof told === 'function') process.nextTick(told);
    return held.bytes <= bufferBytes;
  }

  override end(chunk?: unknown, encoding?: unknown, done?: unknown): this {
    const held = this.#held;
    if (held?.muted === true) return this;
    // What the gateway itself sends goes on as it is.
    if (held?.holder === undefined && typeof chunk === 'string' && isEncoding(encoding))
      return super.end(chunk, encoding);
    if (held?.ended === true) return this;
    const told = typeof chunk === 'function' ? chunk : typeof encoding === 'function' ? encoding : done;
    const hasBytes = chunk !== undefined && chunk !== null && typeof chunk !== 'function';
    if (held?.holder === undefined) {
      if (hasBytes) super.end(bytesOf(chunk, encoding));
      else super.end();
    } else {
      if (hasBytes && held.chunks === undefined && isAscii(chunk, encoding)) held.text = chunk;
      else if (hasBytes) held.push(bytesOf(chunk, encoding));
      held.ended = true;
      held.holder.ended();
      if (!held.begun) this.writeHead(this.statusCode);
    }
    if (typeof told === 'function') this.once('finish', () => told());
    return this;
  }
}

function isAscii(chunk: unknown, encoding: unknown): chunk is string {
  const isUtf8 = encoding === undefined || encoding === 'utf8' || typeof encoding === 'function';
  return isUtf8 && typeof chunk === 'string' && Buffer.byteLength(chunk) === chunk.length;
}

function isFlat(head: string | HeadFields | undefined): head is string[] {
  return Array.isArray(head);
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

/** The fields that were set one by one and those given with the head, which win, as a flat list. */
function flatHead(res: HeldResponse, given: HeadFields | undefined): string[] {
  const head: string[] = [];
  const add = (name: string, value: OutgoingHttpHeader | undefined): void => {
    if (Array.isArray(value)) for (const each of value) head.push(name, each);
    else if (value !== undefined) head.push(name, String(value));
  };
  // As Node would, while the product is there to be told. Fields that were set by their names were checked then.
  const addChecked = (name: string, value: OutgoingHttpHeader | undefined): void => {
    validateHeaderName(name);
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) validateHeaderValue(name, String(each));
    }
    add(name, value);
  };
  if (Array.isArray(given)) {
    for (let index = 0; index + 1 < given.length; index += 2) addChecked(String(given[index]), given[index + 1]);
  } else {
    for (const name in given) addChecked(name, given[name]);
  }
  const set = res.getHeaderNames();
  if (set.length === 0) return head;
  const names = new Set(head.map((part, index) => (index % 2 === 0 ? part.toLowerCase() : '')));
  for (const name of set) if (!names.has(name)) add(name, res.getHeader(name));
  return head;
}
