import { startSpan } from './tracing.ts';
import { type WorkContext, workIn } from './work-context.ts';

/** As much of a Fastify server as is followed. */
interface Server {
  addHook: ((
    name: 'onRequest' | 'preValidation',
    hook: (request: Followed, reply: object, done: () => void) => void,
  ) => unknown) &
    ((name: 'onResponse', hook: (request: Followed, reply: { statusCode: number }) => Promise<void>) => unknown);
}

interface Followed {
  id: string;
  method: string;
  headers: Readonly<Record<string, unknown>>;
  routeOptions: { url?: string | undefined };
}

const contexts = new WeakMap<object, WorkContext>();

/** The context of a request, for what runs after its response. */
export const contextOf = (request: object): WorkContext => contexts.get(request) ?? {};

/** Runs each request in a context of its own, and as a span while traces are on: its log lines carry request id, customer and trace id. */
export function followRequests(app: Server, server: string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    const span = startSpan(`${request.method} ${server}`, {
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : undefined,
      attributes: {
        'http.request.method': request.method,
        // Of the route, never of the request, whose path may name a customer's things.
        'http.route': request.routeOptions.url,
        'octroi.request_id': request.id,
      },
    });
    const context: WorkContext = { requestId: request.id, span };
    contexts.set(request, context);
    workIn(context, done);
  });
  // The body arrives in events of the connection, which know nothing of the context above.
  app.addHook('preValidation', (request, _reply, done) => workIn(contextOf(request), done));
  app.addHook('onResponse', async (request, reply) => {
    const { span } = contextOf(request);
    span?.set({ 'http.response.status_code': reply.statusCode });
    span?.end(reply.statusCode >= 500 ? `status ${reply.statusCode}` : undefined);
  });
}
