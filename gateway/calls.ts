import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { type Admitter, admit } from './admit.ts';
import { noteCall } from './call-note.ts';
import type { Cors } from './cors.ts';
import { answerDescription } from './description.ts';
import { forward } from './forward.ts';
import type { Journal } from './journal.ts';
import { meterCall, meterTestCall, testFields } from './meter.ts';
import { bodyTooLarge, noUpgrade, type Refusal, sendRefusal } from './refusals.ts';
import type { RequestLog } from './request-log.ts';
import type { Route } from './routes.ts';

export interface CallsDeps {
  admitter: Admitter;
  journal: Journal;
  requestLog: RequestLog;
  /** Answers what belongs to the gateway itself; false when the call is for a product. */
  answerOwn: (req: IncomingMessage, res: ServerResponse, requestId: string, own: readonly string[]) => boolean;
  cors: Cors;
  route: (target: string) => Route | Refusal;
  /** The product's connections, by product id. */
  upstreamOf: (productId: string) => Dispatcher;
  maxBodyBytes: number;
  /** Names what is not well; empty when all is. */
  faults: () => string[];
  stopping: () => boolean;
  onFailure: (product: string, requestId: string, error: Error) => void;
}

/** One call from its first line to its last byte: admit, forward, meter. */
export function createCallHandler(deps: CallsDeps): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  const { admitter, journal, cors, maxBodyBytes } = deps;
  return async (req, res) => {
    const target = req.url ?? '/';
    const startedMs = performance.now();
    const requestId = `req_${randomUUID()}`;
    if (target === '/health') return answerHealth(res, requestId, deps.faults());
    if (cors.answerPreflight(req, res, requestId)) return undefined;
    const own = [
      'X-Request-Id',
      requestId,
      ...cors.fieldsFor(req),
      ...(deps.stopping() ? ['Connection', 'close'] : []),
    ];
    const refuse = (refusal: Refusal, headers: readonly string[] = []): void => {
      if (!res.headersSent && !res.destroyed) sendRefusal(res, refusal, requestId, [...own, ...headers]);
    };

    if (req.headers.upgrade?.toLowerCase() === 'websocket') return refuse(noUpgrade);
    if (deps.answerOwn(req, res, requestId, own)) return undefined;
    const route = deps.route(target);
    if ('code' in route) return refuse(route);
    if (route.isDescription)
      return answerDescription(req, res, deps.upstreamOf(route.product.id), route.path, own, refuse);
    if (Number(req.headers['content-length'] ?? 0) > maxBodyBytes) return refuse(bodyTooLarge(maxBodyBytes));
    const admission = await admit(admitter, req, route.product);
    const { call, access } = admission;
    const noted =
      access &&
      noteCall(deps.requestLog, requestId, access, {
        method: req.method ?? '',
        target,
        at: admitter.moment().nowMs,
        startedMs,
      });
    if (call === undefined || noted === undefined || access === undefined) {
      if (admission.refusal === undefined) return undefined;
      noted?.refused(admission.refusal.status);
      return refuse(admission.refusal, admission.headers);
    }
    const isTest = call === 'test';
    const meter = isTest
      ? meterTestCall(noted.note)
      : meterCall(call, admitter.desk, journal, () => admitter.moment().nowMs, noted.note);
    if (res.destroyed) return meter.failed(true);
    return forward({
      req,
      res,
      path: route.path,
      upstream: deps.upstreamOf(route.product.id),
      toProduct: [
        'X-Request-Id',
        requestId,
        'X-Octroi-Activation',
        access.activationId,
        ...(isTest ? testFields : ['X-Octroi-Plan', call.cycle.planId]),
      ],
      maxBodyBytes,
      meter: { ...meter, toCaller: () => [...own, ...meter.toCaller()] },
      onFailure: (error) => deps.onFailure(route.product.id, requestId, error),
      refuse: (what) => {
        noted.refused(what.status);
        refuse(what, meter.toCaller());
      },
    });
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
