import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Admission, type Admitter, admit } from '#gateway/access/admit.ts';
import { bodyTooLarge, type Refusal } from '#gateway/http/refusals.ts';
import { Reply } from '#gateway/http/reply.ts';
import { checkRequestHead } from '#gateway/http/request-head.ts';
import { newRequestId } from '#gateway/http/request-id.ts';
import { WholeResponse } from '#gateway/http/whole-response.ts';
import { CallRecorder } from '#gateway/request-log/call-recorder.ts';
import type { RequestLog } from '#gateway/request-log/request-log.ts';
import type { Upstream } from '#gateway/upstream/upstream.ts';
import type { Cors } from './cors.ts';
import { answerDescription } from './description.ts';
import type { LeftCalls } from './left-calls.ts';
import type { Metering } from './meter.ts';
import type { Route } from './routes.ts';
import { serveAdmitted, type ServingDeps } from './served-call.ts';

export interface CallsDeps {
  admitter: Admitter;
  metering: Metering;
  leftCalls: LeftCalls;
  leftTimeoutMs: number;
  requestLog: RequestLog;
  /** Answers what belongs to the gateway itself; false when the call is for a product. */
  answerOwn: (req: IncomingMessage, reply: Reply) => boolean;
  cors: Cors;
  route: (target: string) => Route | Refusal;
  /** What answers the calls of a product, by product id. */
  upstreamOf: (productId: string) => Upstream;
  /** What answers the calls of its test keys. */
  sandboxOf: (productId: string) => Upstream;
  maxBodyBytes: number;
  /** Names what is not well; empty when all is. */
  faults: () => string[];
  stopping: () => boolean;
  /** Told why a product failed. */
  onFailure: ServingDeps['onFailure'];
  /** Told of a fault of the gateway itself. */
  onFault: (error: unknown, res: ServerResponse) => void;
}

/** A call on its way to be admitted. */
interface ArrivedCall {
  req: IncomingMessage;
  reply: Reply;
  route: Route;
  /** As the caller sent it. */
  target: string;
  startedMs: number;
}

/** One call from its first line to its last byte: admit, forward, meter. `startedMs`: when it began, by the monotonic clock. */
export function createCallHandler(
  deps: CallsDeps,
): (req: IncomingMessage, res: ServerResponse, late: boolean, startedMs: number) => void {
  const { admitter, cors, requestLog, maxBodyBytes } = deps;
  const serving: ServingDeps = {
    metering: deps.metering,
    leftCalls: deps.leftCalls,
    leftTimeoutMs: deps.leftTimeoutMs,
    maxBodyBytes,
    onFailure: deps.onFailure,
  };

  const proceed = (call: ArrivedCall, at: number, admission: Admission): void => {
    const { reply, req, route, target, startedMs } = call;
    const { requestId } = reply;
    const { access } = admission;
    const noted =
      access && new CallRecorder(requestLog, { access, requestId, at, method: req.method ?? '', target, startedMs });
    if (admission.call === undefined) {
      noted?.refused(admission.refusal.status);
      reply.refuse(admission.refusal, admission.headers);
    } else if (noted !== undefined) {
      const { id } = route.product;
      // The address is chosen by what the key was found to be, so that no test call can reach the API itself.
      const to =
        admission.call === 'test'
          ? { path: route.sandboxPath, upstream: deps.sandboxOf(id) }
          : { path: route.path, upstream: deps.upstreamOf(id) };
      serveAdmitted(serving, { req, reply, ...to }, noted, admission);
    }
  };

  return (req, res, late, startedMs) => {
    if (!(res instanceof WholeResponse)) throw new TypeError('this server does not make whole responses');
    const target = req.url ?? '/';
    const requestId = newRequestId();
    if (target === '/health') return answerHealth(res, requestId, deps.faults());
    if (cors.answerPreflight(req, res, requestId)) return undefined;
    // The connection closes behind the answer then, which says so.
    if (deps.stopping()) res.shouldKeepAlive = false;
    const reply = new Reply(res, requestId, `X-Request-Id: ${requestId}\r\n${cors.linesFor(req)}`);

    const fault = checkRequestHead(req);
    if (fault !== undefined) return reply.refuse(fault);
    if (deps.answerOwn(req, reply)) return undefined;
    const route = deps.route(target);
    if ('code' in route) return reply.refuse(route);
    if (route.isDescription) {
      void answerDescription(req, deps.upstreamOf(route.product.id), route.path, reply);
      return undefined;
    }
    const length = req.headers['content-length'];
    if (length !== undefined && Number(length) > maxBodyBytes) return reply.refuse(bodyTooLarge(maxBodyBytes));
    const moment = admitter.moment();
    const call: ArrivedCall = { req, reply, route, target, startedMs };
    const admitted = admit(admitter, { req, product: route.product, overdue: late, moment, elapsedMs: startedMs });
    if (!(admitted instanceof Promise)) return proceed(call, moment.nowMs, admitted);
    admitted
      .then((admission) => proceed(call, admitter.moment().nowMs, admission))
      .catch((error: unknown) => deps.onFault(error, res));
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
