import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeProblem } from '#shared/domain/call-problem.ts';
import { type Admission, type Admitter, admit } from '#gateway/access/admit.ts';
import { bodyTooLarge, type Refusal } from '#gateway/http/refusals.ts';
import { type OnRefusal, Reply } from '#gateway/http/reply.ts';
import { checkRequestHead } from '#gateway/http/request-head.ts';
import { newRequestId } from '#gateway/http/request-id.ts';
import { WholeResponse } from '#gateway/http/whole-response.ts';
import { CallRecorder } from '#gateway/request-log/call-recorder.ts';
import type { RequestLog } from '#gateway/request-log/request-log.ts';
import type { Upstream } from '#gateway/upstream/upstream.ts';
import type { AbandonedCalls } from './abandoned-calls.ts';
import type { CallTrace } from './call-trace.ts';
import type { Cors } from './cors.ts';
import { answerDoctor, doctorAsks } from './doctor-answer.ts';
import type { Metering } from './meter.ts';
import { createProductOpenApi, type ProductOpenApiDeps } from './product-openapi.ts';
import type { Route } from './routes.ts';
import { serveAdmitted, serveProbe, type ServingDeps } from './served-call.ts';

export interface CallsDeps {
  admitter: Admitter;
  metering: Metering;
  abandonedCalls: AbandonedCalls;
  callerWaits: ServingDeps['callerWaits'];
  backlog: ServingDeps['backlog'];
  requestLog: RequestLog;
  /** Handles calls to the gateway's own endpoints; returns false for other calls. */
  handleOwnEndpoint: (req: IncomingMessage, reply: Reply) => boolean;
  cors: Cors;
  route: (method: string, target: string) => Route | Refusal;
  /** By product id. */
  upstreamOf: (productId: string) => Upstream;
  /** Address of the gateway for customers. */
  gatewayUrl: string;
  /** For calls with test keys, by product id. */
  sandboxOf: (productId: string) => Upstream;
  /** Where a product, or its sandbox, tells whether it is well. */
  probePath: (productId: string, test: boolean) => string;
  /** Names of the failing parts; empty when the gateway is healthy. */
  faults: () => string[];
  /** Products whose health check fails. The gateway itself stays healthy: it serves the others. */
  failingProducts: () => string[];
  documents: ProductOpenApiDeps['documents'];
  onOpenInternal: ProductOpenApiDeps['onOpenInternal'];
  /** Called with the reason when a product fails. */
  onFailure: ServingDeps['onFailure'];
  onRefusal: OnRefusal;
  /** While traces are on. */
  beginTrace: ((req: IncomingMessage, requestId: string) => CallTrace | undefined) | undefined;
  /** Called for errors of the gateway itself. */
  onFault: (error: unknown, res: ServerResponse) => void;
}

interface ArrivedCall {
  req: IncomingMessage;
  reply: Reply;
  route: Route;
  trace: CallTrace | undefined;
  /** The request target as received. */
  target: string;
  startedMs: number;
}

/** Handles each call: admit, forward, meter. `startedMs`: monotonic clock. */
export function createCallHandler(
  deps: CallsDeps,
): (req: IncomingMessage, res: ServerResponse, late: boolean, startedMs: number) => void {
  const { admitter, cors, requestLog } = deps;
  const serveOpenApi = createProductOpenApi({ ...deps, portalUrl: admitter.portalUrl });
  const serving: ServingDeps = {
    metering: deps.metering,
    abandonedCalls: deps.abandonedCalls,
    callerWaits: deps.callerWaits,
    backlog: deps.backlog,
    onFailure: deps.onFailure,
  };

  const proceed = (call: ArrivedCall, at: number, admission: Admission): void => {
    const { reply, req, route, trace, target, startedMs } = call;
    const { requestId } = reply;
    const { access } = admission;
    if (access !== undefined) {
      requestLog.clients.note(access.keyId, req, at);
      trace?.known(access);
    }
    reply.recorded = access !== undefined;
    const recorder =
      access &&
      new CallRecorder(requestLog, { access, requestId, at, method: req.method ?? '', target, trace, startedMs });
    if (admission.call === undefined) {
      const { status, code, facts } = admission.refusal;
      recorder?.refused(status, writeProblem(code, facts));
      reply.refuse(admission.refusal, admission.headers);
    } else if (admission.call === 'probe') {
      const waitMs = doctorAsks(req);
      if (waitMs !== undefined) {
        void answerDoctor(req, reply.res, { requestId, waitMs, proxies: admitter.proxies });
        return;
      }
      const { id } = route.product;
      const upstream = admission.test ? deps.sandboxOf(id) : deps.upstreamOf(id);
      const path = deps.probePath(id, admission.test);
      serveProbe(serving, { req, reply, trace, path, upstream }, admission.test);
    } else if (recorder !== undefined) {
      const { id } = route.product;
      // Choose the upstream by the type of the key, so that a test call can never reach the live API.
      const isTest = admission.call === 'test';
      const path = isTest ? route.sandboxPath : route.path;
      const upstream = isTest ? deps.sandboxOf(id) : deps.upstreamOf(id);
      serveAdmitted(serving, { req, reply, trace, path, upstream }, recorder, admission);
    }
  };

  const traceRefusals =
    (trace: CallTrace): OnRefusal =>
    (refusal, reply) => {
      trace.refused(refusal.status, refusal.code);
      deps.onRefusal(refusal, reply);
    };

  return (req, res, late, startedMs) => {
    if (!(res instanceof WholeResponse)) throw new TypeError('this server does not create WholeResponse objects');
    const target = req.url ?? '/';
    const requestId = newRequestId();
    if (target === '/health') return sendHealth(res, requestId, deps.faults(), deps.failingProducts());
    if (cors.handlePreflight(req, res, requestId)) return undefined;
    const headerLines = `X-Request-Id: ${requestId}\r\n${cors.headerLinesFor(req)}`;
    const trace = deps.beginTrace?.(req, requestId);
    const reply = new Reply(res, requestId, headerLines, trace === undefined ? deps.onRefusal : traceRefusals(trace));
    if (trace !== undefined) res.once('close', () => trace.ended(res.statusCode));

    const fault = checkRequestHead(req);
    if (fault !== undefined) return reply.refuse(fault);
    if (deps.handleOwnEndpoint(req, reply)) return undefined;
    const route = deps.route(req.method ?? '', target);
    if ('code' in route) return reply.refuse(route);
    if (route.isOpenApi) {
      void serveOpenApi(req, route.product, route.path, reply);
      return undefined;
    }
    if (route.deprecation !== undefined) reply.headerLines += route.deprecation(req.method ?? '', target);
    const length = req.headers['content-length'];
    if (length !== undefined) {
      const { maxBodyBytes } = deps.upstreamOf(route.product.id);
      if (Number(length) > maxBodyBytes) return reply.refuse(bodyTooLarge(maxBodyBytes));
    }
    const moment = admitter.moment();
    const call: ArrivedCall = { req, reply, route, trace, target, startedMs };
    const { product, operations } = route;
    const admitted = admit(admitter, { req, product, operations, overdue: late, moment, elapsedMs: startedMs });
    if (!(admitted instanceof Promise)) return proceed(call, moment.nowMs, admitted);
    const lookup = trace?.beginLookup();
    admitted
      .then((admission) => {
        lookup?.end();
        return proceed(call, admitter.moment().nowMs, admission);
      })
      .catch((error: unknown) => deps.onFault(error, res));
    return undefined;
  };
}

function sendHealth(res: ServerResponse, requestId: string, faults: string[], failingProducts: string[]): void {
  const products = failingProducts.length === 0 ? {} : { failingProducts };
  const body = JSON.stringify({
    ...(faults.length === 0 ? { status: 'ok' } : { status: 'failing', faults }),
    ...products,
  });
  res.writeHead(faults.length === 0 ? 200 : 503, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  });
  res.end(body);
}
