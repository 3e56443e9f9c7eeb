import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Admission, type Admitter, admit } from './admit.ts';
import { NotedCall } from './call-note.ts';
import type { Cors } from './cors.ts';
import { answerDescription } from './description.ts';
import type { Journal } from './journal.ts';
import { bodyTooLarge, type Refusal } from './refusals.ts';
import { Reply } from './reply.ts';
import { faultOfHead } from './request-head.ts';
import { newRequestId } from './request-id.ts';
import type { RequestLog } from './request-log.ts';
import type { Route } from './routes.ts';
import { type Addressed, serveAdmitted, type ServingDeps } from './served-call.ts';
import type { Upstream } from './upstream.ts';
import { WholeResponse } from './whole-response.ts';

export interface CallsDeps {
  admitter: Admitter;
  journal: Journal;
  requestLog: RequestLog;
  /** Answers what belongs to the gateway itself; false when the call is for a product. */
  answerOwn: (req: IncomingMessage, reply: Reply) => boolean;
  cors: Cors;
  route: (target: string) => Route | Refusal;
  /** What answers the calls of a product, by product id. */
  upstreamOf: (productId: string) => Upstream;
  maxBodyBytes: number;
  /** Names what is not well; empty when all is. */
  faults: () => string[];
  stopping: () => boolean;
  /** Told why a product failed. */
  onFailure: ServingDeps['onFailure'];
  /** Told of a fault of the gateway itself. */
  onFault: (error: unknown, res: ServerResponse) => void;
}

/** One call from its first line to its last byte: admit, forward, meter. `startedMs`: when it began, by the monotonic clock. */
export function createCallHandler(
  deps: CallsDeps,
): (req: IncomingMessage, res: ServerResponse, late: boolean, startedMs: number) => void {
  const { admitter, cors, requestLog, maxBodyBytes } = deps;
  const serving: ServingDeps = {
    metering: { desk: admitter.desk, journal: deps.journal, now: () => admitter.moment().nowMs },
    maxBodyBytes,
    onFailure: deps.onFailure,
  };

  const proceed = (about: Addressed, target: string, startedMs: number, at: number, admission: Admission): void => {
    const { reply, req } = about;
    const { requestId } = reply;
    const { access } = admission;
    const noted =
      access && new NotedCall(requestLog, { access, requestId, at, method: req.method ?? '', target, startedMs });
    if (admission.call === undefined) {
      noted?.refused(admission.refusal.status);
      reply.refuse(admission.refusal, admission.lines);
    } else if (noted !== undefined) serveAdmitted(serving, about, noted, admission);
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

    const fault = faultOfHead(req);
    if (fault !== undefined) return reply.refuse(fault);
    if (deps.answerOwn(req, reply)) return undefined;
    const route = deps.route(target);
    if ('code' in route) return reply.refuse(route);
    const upstream = deps.upstreamOf(route.product.id);
    if (route.isDescription) {
      void answerDescription(req, upstream, route.path, reply);
      return undefined;
    }
    const length = req.headers['content-length'];
    if (length !== undefined && Number(length) > maxBodyBytes) return reply.refuse(bodyTooLarge(maxBodyBytes));
    const moment = admitter.moment();
    const about: Addressed = { req, path: route.path, upstream, reply };
    const admitted = admit(admitter, { req, product: route.product, late, moment, elapsedMs: startedMs });
    if (!(admitted instanceof Promise)) return proceed(about, target, startedMs, moment.nowMs, admitted);
    admitted
      .then((admission) => proceed(about, target, startedMs, admitter.moment().nowMs, admission))
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
