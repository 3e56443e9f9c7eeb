import { type OutgoingHttpHeader, OutgoingMessage, validateHeaderName, validateHeaderValue } from 'node:http';
import { getAccessor } from '#gateway/node/accessors.ts';
import { groupByName } from './header-rules.ts';
import { ReceivedRequest } from './received-request.ts';
import { concatChunks, type HeadHeaders, WholeResponse } from './whole-response.ts';

/** Is notified while a response is held back. */
export interface HeldResponseListener {
  /** The status and headers are known. Nothing is sent before `release`. */
  onHead: (status: number, head: string[]) => void;
  /** The product has called `end`, before or after the release. */
  onEnd: () => void;
  /** A write of a released response waits for the caller; `drain` follows. */
  onFull: (bytes: number) => void;
}

/** Once this much is buffered, `write` returns false to apply backpressure. */
const maxBufferedBytes = 64 * 1024;

/** State of a held response. A single object, because V8 keeps few more properties inline on a response. */
class HeldState {
  readonly owner: HeldResponseListener;
  /** The owner while the response is held; undefined once it is released. */
  listener: HeldResponseListener | undefined;
  headGiven = false;
  ended = false;
  /** The gateway has responded instead; further writes of the product are ignored. */
  muted = false;
  /** Whether setHeader was used. */
  usedSetHeader = false;
  abortedByProduct = false;
  /** The entire body, if it was given as a single ASCII string. */
  text: string | undefined;
  chunks: Buffer[] | undefined;
  bytes = 0;

  constructor(owner: HeldResponseListener) {
    this.owner = owner;
    this.listener = owner;
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

/** A response that an in-process product writes as usual, while the gateway decides when it is sent and with which headers. */
export class HeldResponse extends WholeResponse {
  #held: HeldState | undefined;

  /** From now on, buffers what the product writes. */
  hold(listener: HeldResponseListener): void {
    this.#held = new HeldState(listener);
  }

  protected override hasExpectation(): boolean {
    return this.req instanceof ReceivedRequest ? this.req.received.expect !== undefined : super.hasExpectation();
  }

  /** Whether the product destroyed the response itself. */
  get abortedByProduct(): boolean {
    return this.#held?.abortedByProduct === true;
  }

  /** Discards what was held and sends a response of the gateway. Later writes of the product are ignored. */
  replaceWith(send: () => void): void {
    const held = this.#held;
    this.#held = undefined;
    this.statusMessage = '';
    for (const name of this.getHeaderNames()) this.removeHeader(name);
    send();
    if (held === undefined) return;
    held.listener = undefined;
    held.muted = true;
    held.text = undefined;
    held.chunks = undefined;
    this.#held = held;
  }

  /** Sends what was held, with these headers and `headerLines`. Later writes of the product pass straight through. */
  release(status: number, head: readonly string[], headerLines: string): void {
    const held = this.#held;
    if (held === undefined) return;
    held.listener = undefined;
    // A reason phrase set by the product has not been validated.
    this.statusMessage = '';
    const setNames = this.getHeaderNames();
    held.usedSetHeader = setNames.length > 0;
    for (const name of setNames) this.removeHeader(name);
    if (held.ended) {
      this.sendWhole(status, head, held.text ?? concatChunks(held.takeChunks()), headerLines);
      return;
    }
    this.sendHead(status, head, headerLines);
    let hasRoom = true;
    for (const chunk of held.takeChunks()) hasRoom = super.write(chunk);
    if (hasRoom) this.emit('drain');
    else held.owner.onFull(held.bytes);
  }

  static {
    // Overrides Node's accessors, so that to the product a held response looks as if it had been sent.
    const headersSent = getAccessor(OutgoingMessage, 'headersSent');
    const writableEnded = getAccessor(OutgoingMessage, 'writableEnded');
    Object.defineProperties(HeldResponse.prototype, {
      headersSent: {
        configurable: true,
        get(this: HeldResponse): boolean {
          const held = this.#held;
          return held?.listener === undefined ? headersSent.get?.call(this) === true : held.headGiven;
        },
      },
      writableEnded: {
        configurable: true,
        get(this: HeldResponse): boolean {
          const held = this.#held;
          return held?.listener === undefined ? writableEnded.get?.call(this) === true : held.ended;
        },
      },
    });
  }

  override writeHead(status: number, reason?: string | HeadHeaders, headers?: HeadHeaders): this {
    const held = this.#held;
    if (held?.muted === true) return this;
    if (held?.listener === undefined) {
      if (typeof reason === 'string') return super.writeHead(status, reason, headers);
      // After setHeader, Node merges a flat list by name and keeps only the last value of a repeated header.
      return super.writeHead(status, held?.usedSetHeader === true && isFlat(reason) ? groupByName(reason) : reason);
    }
    if (held.headGiven) throw new Error('the headers of this response were already written');
    // Truncate as Node does. Interim (1xx) responses are not accepted here.
    const whole = Math.trunc(status);
    if (!(whole >= 200 && whole <= 999)) throw new RangeError(`invalid response status ${status}`);
    const head = flatHead(this, typeof reason === 'string' ? headers : reason);
    held.headGiven = true;
    held.listener.onHead(whole, head);
    return this;
  }

  override flushHeaders(): void {
    const held = this.#held;
    if (held?.muted === true) return;
    if (held?.listener === undefined) super.flushHeaders();
    else if (!held.headGiven) this.writeHead(this.statusCode);
  }

  override setHeader(name: string, value: number | string | readonly string[]): this {
    return this.#held?.muted === true ? this : super.setHeader(name, value);
  }

  override destroy(error?: Error): this {
    // If the connection is already gone, the product is not to blame.
    if (this.#held !== undefined && !this.req.socket.destroyed) this.#held.abortedByProduct = true;
    return super.destroy(error);
  }

  /** Interim responses are of one hop; those of a remote product don't pass either. */
  override writeContinue(): void {
    if (this.#held === undefined) super.writeContinue();
  }

  override writeProcessing(): void {}

  override writeEarlyHints(_hints: unknown, callback?: () => void): void {
    if (callback !== undefined) process.nextTick(callback);
  }

  /** Node 24.21 and later, where `writeContinue` calls it. */
  writeInformation(...interim: unknown[]): void {
    const write: unknown = Reflect.get(WholeResponse.prototype, 'writeInformation');
    if (this.#held === undefined && typeof write === 'function') Reflect.apply(write, this, interim);
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    return this.#held?.muted === true ? this : super.appendHeader(name, value);
  }

  override write(chunk: unknown, encoding?: unknown, done?: unknown): boolean {
    const held = this.#held;
    if (held?.muted === true) return true;
    if (held?.ended === true) return false;
    const callback = typeof encoding === 'function' ? encoding : done;
    const bytes = bytesOf(chunk, encoding);
    if (held?.listener !== undefined && !held.headGiven) this.writeHead(this.statusCode);
    // Checked again: writing the head may have released the response.
    if (held?.listener === undefined) {
      const hasRoom = super.write(bytes, (error) => void (typeof callback === 'function' && callback(error)));
      if (!hasRoom) held?.owner.onFull(bytes.length);
      return hasRoom;
    }
    held.push(bytes);
    if (typeof callback === 'function') process.nextTick(callback);
    return held.bytes <= maxBufferedBytes;
  }

  override end(chunk?: unknown, encoding?: unknown, done?: unknown): this {
    const held = this.#held;
    if (held?.muted === true) return this;
    // The gateway's own responses pass through unchanged.
    if (held === undefined && typeof chunk === 'string' && isEncoding(encoding)) return super.end(chunk, encoding);
    if (held?.ended === true) return this;
    const callback = typeof chunk === 'function' ? chunk : typeof encoding === 'function' ? encoding : done;
    const hasBytes = chunk !== undefined && chunk !== null && typeof chunk !== 'function';
    if (held?.listener === undefined) {
      if (hasBytes) super.end(bytesOf(chunk, encoding));
      else super.end();
      held?.owner.onEnd();
    } else {
      if (hasBytes && held.chunks === undefined && isAscii(chunk, encoding)) held.text = chunk;
      else if (hasBytes) held.push(bytesOf(chunk, encoding));
      held.ended = true;
      held.listener.onEnd();
      if (!held.headGiven) this.writeHead(this.statusCode);
    }
    if (typeof callback === 'function') this.once('finish', () => callback());
    return this;
  }
}

function isAscii(chunk: unknown, encoding: unknown): chunk is string {
  const isUtf8 = encoding === undefined || encoding === 'utf8' || typeof encoding === 'function';
  return isUtf8 && typeof chunk === 'string' && Buffer.byteLength(chunk) === chunk.length;
}

function isFlat(head: string | HeadHeaders | undefined): head is string[] {
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
  throw new TypeError('a response body must be a string or bytes');
}

/** Headers from setHeader and from writeHead as a flat list; those from writeHead win. */
function flatHead(res: HeldResponse, given: HeadHeaders | undefined): string[] {
  const head: string[] = [];
  const add = (name: string, value: OutgoingHttpHeader | undefined): void => {
    if (Array.isArray(value)) for (const each of value) head.push(name, each);
    else if (value !== undefined) head.push(name, String(value));
  };
  // Validate now, so that the product gets the error, as it would from Node. setHeader has validated its own.
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
