import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Admission, type Admitter, admit } from './admit.ts';
import { type NotedCall, noteCall } from './call-note.ts';
import type { Cors } from './cors.ts';
import { answerDescription } from './description.ts';
import type { Forwarding } from './forward.ts';
import type { Journal } from './journal.ts';
import { meterCall, meterTestCall, testFields } from './meter.ts';
import { badVersion, bodyTooLarge, noUpgrade, overloaded, type Refusal, sendRefusal } from './refusals.ts';
import { newRequestId } from './request-id.ts';
import type { RequestLog } from './request-log.ts';
import type { Route } from './routes.ts';
import type { Upstream } from './upstream.ts';

export interface CallsDeps {
  admitter: Admitter;
  journal: Journal;
  requestLog: RequestLog;
  /** Answers what belongs to the gateway itself; false when the call is for a product. */
  answerOwn: (req: IncomingMessage, res: ServerResponse, requestId: string, own: readonly string[]) => boolean;
  cors: Cors;
  route: (target: string) => Route | Refusal;
  /** What answers the calls of a product, by product id. */
  upstreamOf: (productId: string) => Upstream;
  maxBodyBytes: number;
  /** Names what is not well; empty when all is. */
  faults: () => string[];
  stopping: () => boolean;
  /** Told why a product failed. */
  onFailure: (product: string, requestId: string, error: Error) => void;
  /** Told of a fault of the gateway itself. */
  onFault: (error: unknown, res: ServerResponse) => void;
}

/** What every answer to a call is made with. */
interface Answering {
  req: IncomingMessage;
  res: ServerResponse;
  requestId: string;
  /** The gateway's fields on every answer, as a flat list. */
  own: readonly string[];
  refuse: (refusal: Refusal, headers?: readonly string[]) => void;
  noted: NotedCall;
}

type Accepted = Exclude<Admission, { refusal: Refusal }>;

/** One call from its first line to its last byte: admit, forward, meter. */
export function createCallHandler(deps: CallsDeps): (req: IncomingMessage, res: ServerResponse, late: boolean) => void {
  const { admitter, journal, cors, maxBodyBytes } = deps;
  const now = (): number => admitter.moment().nowMs;

  const serve = (accepted: Accepted, path: string, upstream: Upstream, about: Answering): void => {
    const { req, res, requestId, own, refuse, noted } = about;
    const { call, access } = accepted;
    const isTest = call === 'test';
    const meter = isTest ? meterTestCall(noted.note) : meterCall(call, admitter.desk, journal, now, noted.note);
    if (res.destroyed) return meter.failed(true);
    const forwarding: Forwarding = {
      req,
      res,
      path,
      toProduct: [
        'X-Request-Id',
        requestId,
        'X-Octroi-Activation',
        access.activationId,
        ...(isTest ? testFields : ['X-Octroi-Plan', call.cycle.planId]),
      ],
      maxBodyBytes,
      meter: {
        ...meter,
        addFields: (head) => {
          head.push(...own);
          meter.addFields(head);
        },
      },
      onFailure: (error) => deps.onFailure(upstream.productId, requestId, error),
      refuse: (what) => {
        noted.refused(what.status);
        const fields: string[] = [];
        meter.addFields(fields);
        refuse(what, fields);
      },
    };
    // No book is kept of the calls of test keys.
    const book = call === 'test' ? undefined : call.book;
    if (book !== undefined) book.underWay += 1;
    let waits = true;
    const place = upstream.line.enter(
      book ?? access,
      () => {
        waits = false;
        upstream.serve(forwarding);
      },
      () => {
        waits = false;
        meter.turnedAway();
        noted.refused(overloaded.status);
        refuse(overloaded);
      },
    );
    res.on('close', () => {
      if (book !== undefined) book.underWay -= 1;
      place.leave();
      if (waits) meter.failed(true);
    });
    return undefined;
  };

  return (req, res, late) => {
    const target = req.url ?? '/';
    const startedMs = performance.now();
    const requestId = newRequestId();
    if (target === '/health') return answerHealth(res, requestId, deps.faults());
    if (cors.answerPreflight(req, res, requestId)) return undefined;
    const own = ['X-Request-Id', requestId, ...cors.fieldsFor(req)];
    if (deps.stopping()) own.push('Connection', 'close');
    const refuse = (refusal: Refusal, headers: readonly string[] = []): void => {
      if (!res.headersSent && !res.destroyed) sendRefusal(res, refusal, requestId, [...own, ...headers]);
    };

    // Before HTTP/1.0 an answer had no status, and a request no end that could be trusted.
    if (req.httpVersionMajor < 1) return refuse(badVersion);
    if (req.headers.upgrade?.toLowerCase() === 'websocket') return refuse(noUpgrade);
    if (deps.answerOwn(req, res, requestId, own)) return undefined;
    const route = deps.route(target);
    if ('code' in route) return refuse(route);
    const upstream = deps.upstreamOf(route.product.id);
    if (route.isDescription) {
      void answerDescription(req, res, upstream, route.path, own, refuse);
      return undefined;
    }
    const length = req.headers['content-length'];
    if (length !== undefined && Number(length) > maxBodyBytes) return refuse(bodyTooLarge(maxBodyBytes));
    const proceed = (admission: Admission): void => {
      const { access } = admission;
      const about = { method: req.method ?? '', target, at: now(), startedMs };
      const noted = access && noteCall(deps.requestLog, requestId, access, about);
      if (admission.call === undefined) {
        noted?.refused(admission.refusal.status);
        refuse(admission.refusal, admission.headers);
      } else if (noted !== undefined) {
        serve(admission, route.path, upstream, { req, res, requestId, own, refuse, noted });
      }
    };
    const admitted = admit(admitter, req, route.product, late);
    if (!(admitted instanceof Promise)) return proceed(admitted);
    admitted.then(proceed).catch((error: unknown) => deps.onFault(error, res));
    return undefined;
  };
}

function answerHealth(res: ServerResponse, requestId: string, faults: string[]): void {
  const body = JSON.stringify(faults.length === 0 ? { status: 'ok' } : { status: 'failing', faults });
  res.writeHead(faults.length === 0 ? 200 : 503, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  });
  res.end(body);
}
